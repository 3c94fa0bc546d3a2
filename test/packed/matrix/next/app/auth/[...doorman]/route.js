import { auth } from "../../../auth.js"

export const GET = (request) => auth.handler(request)
export const POST = (request) => auth.handler(request)
