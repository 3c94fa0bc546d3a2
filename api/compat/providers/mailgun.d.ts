export { Mailgun as default } from "../../Provider/Mailgun.ts";
