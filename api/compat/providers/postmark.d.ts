export { Postmark as default } from "../../Provider/Postmark.ts";
