/**
 * Sign-in in a Nest application, and a guard that requires a session.
 *
 *     npm run build && AUTH_SECRET=$(openssl rand -base64 33) AUTH_URL=http://localhost:3000/auth \
 *     AUTH_IDP_ISSUER=https://... AUTH_IDP_ID=... AUTH_IDP_SECRET=... node dist/nest.js
 *
 * Register `http://localhost:3000/auth/callback/idp` at the provider.
 */
import "reflect-metadata"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Controller, Get, Header, Injectable, Module, Req, UseGuards } from "@nestjs/common"
import type { CanActivate, ExecutionContext } from "@nestjs/common"
import { NestFactory } from "@nestjs/core"
import { createAuth } from "effect-doorman"
import { toNodeHandler } from "effect-doorman/node"

const auth = createAuth({ providers: [{ id: "idp", name: "the provider", type: "oidc" }] })

type Asking = IncomingMessage & { name?: string }

/** Lets the signed-in through, with their name in the request, and sends others to the sign-in page. */
@Injectable()
class RequireUser implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp()
    const request = http.getRequest<Asking>()
    const response = http.getResponse<ServerResponse>()
    const headers = new Headers()
    const session = await auth.getSession(request, headers)
    response.setHeaders(headers)
    if (session === null) {
      const location = `/auth/signin?callbackUrl=${encodeURIComponent(auth.requestUrl(request)?.pathname ?? "/")}`
      response.writeHead(302, { location }).end()
      return false
    }
    request.name = session.user?.name ?? "stranger"
    return true
  }
}

@Controller()
class Pages {
  @Get()
  home(): string {
    return `<!doctype html><title>Home</title>
<p><a href="/private">Private page</a> <a href="/auth/signin">Sign in</a> <a href="/auth/signout">Sign out</a>`
  }

  @Get("private")
  @Header("content-type", "text/plain; charset=utf-8")
  @UseGuards(RequireUser)
  greet(@Req() request: Asking): string {
    return `Hello ${request.name}\n`
  }
}

@Module({ controllers: [Pages] })
class App {}

const app = await NestFactory.create(App, { logger: ["error"] })
app.use(toNodeHandler(auth))
await app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1")
console.log((await app.getUrl()).replace("127.0.0.1", "localhost"))
