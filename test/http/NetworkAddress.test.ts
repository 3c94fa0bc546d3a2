import { assert, describe, it } from "@effect/vitest"
import {
  clientNetwork,
  isWithin,
  parseNetwork,
  configuredFault,
  discoveredFault,
  isInternal,
  isLoopback
} from "../../src/http/NetworkAddress.ts"

/** A host as the URL parser writes it. */
const hostnameOf = (host: string) => new URL(`http://${host}`).hostname

describe("hosts", () => {
  const loopback = [
    "localhost",
    "localhost.",
    "app.localhost",
    "127.0.0.1",
    "127.255.255.255",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::127.0.0.2]"
  ]
  for (const host of loopback) {
    it(`${host} is this machine`, () => {
      assert.isTrue(isLoopback(hostnameOf(host)))
      assert.isTrue(isInternal(hostnameOf(host)))
    })
  }

  const internal = [
    // Names of private networks.
    "metadata.google.internal",
    "internal",
    "home.arpa",
    "printer.local",
    "router.home.arpa",
    "printer.local.",
    "mailhost",
    // Each block of IPv4, at its ends.
    "0.0.0.0",
    "0.255.255.255",
    "10.0.0.0",
    "10.255.255.255",
    "100.64.0.0",
    "100.127.255.255",
    "169.254.0.0",
    "169.254.169.254",
    "172.16.0.0",
    "172.31.255.255",
    "192.0.0.0",
    "192.0.0.255",
    "192.168.0.0",
    "192.168.255.255",
    "198.18.0.0",
    "198.19.255.255",
    "224.0.0.0",
    "255.255.255.255",
    // IPv4 in other forms: mapped, NAT64, translated, 6to4.
    "[::ffff:10.0.0.1]",
    "[64:ff9b::10.0.0.1]",
    "[::ffff:0:10.0.0.1]",
    "[2002:a00:1::]",
    "[2002:c0a8:101::1]",
    // Blocks of IPv6, at their ends.
    "[::]",
    "[64:ff9b:1::1]",
    "[2001::1]",
    "[2001:1ff::1]",
    "[fc00::1]",
    "[fdff:ffff::1]",
    "[fe80::1]",
    "[fec0::1]",
    "[feff::1]",
    "[ff00::1]",
    "[ffff::1]"
  ]
  for (const host of internal) {
    it(`${host} is internal, and not this machine`, () => {
      assert.isTrue(isInternal(hostnameOf(host)))
      assert.isFalse(isLoopback(hostnameOf(host)))
    })
  }

  const open = [
    "app.example",
    "localhost.example",
    "mylocalhost.example",
    "xlocalhost.com",
    "internal.example",
    "xinternal.example",
    "my.xinternal",
    "local.example",
    "home.arpa.example",
    "homexarpa.example",
    "1.0.0.0",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "191.255.255.255",
    "192.0.1.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "[::ffff:1.1.1.1]",
    "[64:ff9b::1.1.1.1]",
    "[64:ff9b:0:1::10.0.0.1]",
    "[::1:ffff:0:10.0.0.1]",
    "[2002:101:101::]",
    "[2003:a00:1::]",
    "[2001:200::1]",
    "[2000::1]",
    "[2606:4700::1111]",
    "[1:2:3:4:5:6:7:8]",
    "[::2:0:0:0:0]",
    "[fbff::1]",
    "[fe00::1]",
    "[fe7f::1]"
  ]
  for (const host of open) {
    it(`${host} may be public`, () => {
      assert.isFalse(isInternal(hostnameOf(host)))
      assert.isFalse(isLoopback(hostnameOf(host)))
    })
  }

  it("is no IPv4 address with more around it", () => {
    for (const host of ["x127.0.0.1", "127.0.0.1.example", "1127.0.0.1"]) assert.isFalse(isLoopback(host), host)
  })
})

describe("the network of a client", () => {
  for (const [address, network] of [
    ["203.0.113.7", "203.0.113.7"],
    ["10.0.0.1", undefined],
    ["127.0.0.1", undefined],
    ["2606:4700:1:2:3:4:5:6", "9734:18176:1:2"],
    ["2606:4700::7", "9734:18176:0:0"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::1", undefined],
    ["fe80::1", undefined],
    ["app.example", undefined],
    ["not an address", undefined],
    ["", undefined],
    [":", undefined]
  ] as const) {
    it(`of ${JSON.stringify(address)} is ${network}`, () => assert.strictEqual(clientNetwork(address), network))
  }
})

describe("an address that the operator wrote", () => {
  for (const [address, fault] of [
    ["https://idp.example/token", undefined],
    ["http://localhost:3000/token", undefined],
    ["http://127.0.0.1/token", undefined],
    ["http://idp.example/token", "the token endpoint must use https (http is for loopback addresses only)"],
    ["ftp://localhost/token", "the token endpoint must use https (http is for loopback addresses only)"],
    ["https://ann@idp.example/", "the token endpoint must not carry a user name or password"],
    ["https://:secret@idp.example/", "the token endpoint must not carry a user name or password"],
    ["https://idp.example/#top", "the token endpoint must not have a fragment"],
    ["idp.example", "the token endpoint is not a URL"]
  ] as const) {
    it(`${address}: ${fault ?? "can be used"}`, () =>
      assert.strictEqual(configuredFault("token endpoint", address), fault))
  }
})

describe("an address that metadata name", () => {
  for (const [address, issuer, fault] of [
    ["https://idp.example/token", "https://idp.example", undefined],
    ["https://10.0.0.1/token", "https://10.0.0.2", undefined],
    ["http://localhost/token", "http://localhost", undefined],
    [
      "https://10.0.0.1/token",
      "https://idp.example",
      "the token endpoint that the issuer announces is an internal address"
    ],
    ["http://localhost/token", "https://localhost", "the token endpoint that the issuer announces does not use https"],
    ["https://idp.example/", "no issuer", "the token endpoint is not a URL"],
    ["https://idp.example/#top", "https://idp.example", "the token endpoint must not have a fragment"]
  ] as const) {
    it(`${address} of ${issuer}: ${fault ?? "can be used"}`, () => {
      assert.strictEqual(discoveredFault("token endpoint", address, issuer), fault)
    })
  }
})

describe("a network", () => {
  for (const [network, inside, outside] of [
    ["10.0.0.0/8", ["10.0.0.1", "10.255.255.255", "::ffff:10.1.2.3"], ["11.0.0.1", "::a00:1", "text", ""]],
    ["10.1.2.0/23", ["10.1.2.9", "10.1.3.9"], ["10.1.4.1", "10.1.1.255"]],
    ["127.0.0.1", ["127.0.0.1", "::ffff:7f00:1"], ["127.0.0.2"]],
    ["::1", ["::1", "0:0:0:0:0:0:0:1"], ["::2", "127.0.0.1"]],
    ["fd00::/8", ["fd12:3456::1"], ["fc00::1", "fe80::1"]],
    ["fe80::/10", ["fe80::1%eth0"], ["fec0::1"]],
    ["0.0.0.0/0", ["203.0.113.7"], ["2001:db8::1"]]
  ] as const) {
    it(`${network} has its addresses and no others`, () => {
      const networks = [parseNetwork(network) ?? assert.fail(network)]
      assert.deepStrictEqual(
        [...inside, ...outside].filter((address) => isWithin(networks, address)),
        [...inside]
      )
    })
  }
})
