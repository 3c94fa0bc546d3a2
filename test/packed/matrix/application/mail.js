/** Magic links over SMTP. */
import Nodemailer from "effect-doorman/providers/nodemailer"

export const mail = () => Nodemailer({ server: process.env.BUILDS_SMTP, from: "site@example.com" })
