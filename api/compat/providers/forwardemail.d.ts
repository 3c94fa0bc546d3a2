export { ForwardEmail as default } from "../../Provider/ForwardEmail.ts";
