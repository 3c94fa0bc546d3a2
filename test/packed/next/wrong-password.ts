import { CredentialsSignin } from "next-auth"

/** An error of the application: its code reaches the page. */
export class WrongPassword extends CredentialsSignin {
  code = "wrong_password"
}
