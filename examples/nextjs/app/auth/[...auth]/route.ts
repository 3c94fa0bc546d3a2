import { answer } from "../../../auth"

export { answer as GET, answer as POST }
