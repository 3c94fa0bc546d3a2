import { me } from "../../auth.js"

export const dynamic = "force-dynamic"
export const GET = (request) => me(request)
