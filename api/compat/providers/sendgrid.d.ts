export { SendGrid as default } from "../../Provider/SendGrid.ts";
