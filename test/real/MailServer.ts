/**
 * A real mail server on this machine: what it was told (sender, recipients, the mail as bytes), with STARTTLS and passwords
 * where a test wants them.
 */
import type { AddressInfo } from "node:net"
import { domainToASCII } from "node:url"
import PostalMime, { type Email } from "postal-mime"
import { SMTPServer } from "smtp-server"

/** A mail as the server took it. */
export interface Delivery {
  readonly from: string
  readonly recipients: ReadonlyArray<string>
  readonly raw: string
  readonly secure: boolean
  readonly user: string | undefined
  readonly mail: Email
}

export interface MailServerOptions {
  /** Only this name and password may send, and only under TLS. */
  readonly login?: { readonly user: string; readonly password: string }
  /** Offer no STARTTLS. */
  readonly plain?: boolean
  /** Recipients that are turned away with 550. */
  readonly unknown?: ReadonlyArray<string>
  /** Takes the connection and says nothing. */
  readonly silent?: boolean
}

export interface MailServer {
  readonly port: number
  /** Options of a Nodemailer transport that reach this server. */
  readonly transport: (more?: object) => object
  readonly deliveries: ReadonlyArray<Delivery>
  /** Connections that are open. */
  readonly open: () => number
  readonly close: () => Promise<void>
}

/** The server shows names in their own script; on the line they came in ASCII. */
const inAscii = (address: string): string => address.replace(/[^@]+$/, (domain) => domainToASCII(domain))

export const startMailServer = async (options: MailServerOptions = {}): Promise<MailServer> => {
  const deliveries: Array<Delivery> = []
  const server = new SMTPServer({
    // The package has a certificate for tests, which nobody trusts.
    disabledCommands: options.plain === true ? ["STARTTLS", ...(options.login === undefined ? ["AUTH"] : [])] : [],
    authOptional: options.login === undefined,
    allowInsecureAuth: false,
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    onConnect: (_session, done) => {
      if (options.silent !== true) done()
    },
    onAuth: ({ password, username }, _session, done) => {
      const { login } = options
      return login !== undefined && username === login.user && password === login.password
        ? done(null, { user: username })
        : done(Object.assign(new Error("no"), { responseCode: 535 }))
    },
    onRcptTo: ({ address }, _session, done) =>
      options.unknown?.includes(address) === true
        ? done(Object.assign(new Error(`no mailbox ${address}`), { responseCode: 550 }))
        : done(),
    onData: (stream, session, done) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        const bytes = Buffer.concat(chunks)
        const { mailFrom, rcptTo } = session.envelope
        void PostalMime.parse(bytes).then((mail) => {
          deliveries.push({
            from: mailFrom === false ? "" : (mailFrom?.address ?? ""),
            recipients: rcptTo.map(({ address }) => inAscii(address)),
            raw: bytes.toString("latin1"),
            secure: session.secure,
            user: typeof session.user === "string" ? session.user : undefined,
            mail
          })
          done()
        }, done)
      })
    }
  })
  server.on("error", () => undefined)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    transport: (more = {}) => ({ host: "127.0.0.1", port, tls: { rejectUnauthorized: false }, ...more }),
    deliveries,
    open: () => server.connections.size,
    close: () => new Promise((resolve) => server.close(() => resolve()))
  }
}
