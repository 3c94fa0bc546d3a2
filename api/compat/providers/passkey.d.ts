export { Passkey as default } from "../../Provider/Passkey.ts";
