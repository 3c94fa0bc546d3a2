export { Resend as default } from "../../Provider/Resend.ts";
