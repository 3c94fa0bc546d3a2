/**
 * Keys that sign in tests, and nowhere else. THEY ARE PUBLIC: a server that trusts one of them accepts any attacker.
 *
 * They are written down because making an RSA key takes longer than a whole sign-in does, and because a test that is the
 * same in every run needs the same keys. Each algorithm has two: the one that a provider signs with, and the one that it
 * takes over to when its keys are rotated. No key here was ever used for anything else.
 *
 * @since 0.1.0
 */

/** A private key in JSON (RFC 7517), for tests. */
export interface TestKey {
  readonly kid: string
  readonly kty: string
  readonly [member: string]: string
}

/** The algorithms that the provider can sign with. @category models @since 0.1.0 */
export type Algorithm = "RS256" | "ES256" | "EdDSA"

/** Which of the two keys. */
export type Which = "first" | "second"

/** THE TEST KEYS. Published with this package, therefore not secret. */
export const testKeys: Readonly<Record<Algorithm, Readonly<Record<Which, TestKey>>>> = {
  RS256: {
    first: {
      kid: "test-rs256-first",
      kty: "RSA",
      n: "kUG214yErV-es35fbuG2mEUTsNlgJaavMQlGXtQ8asBOUOuh0a65auN8a9Vn6SUySnfWDb1xzetql2khRx48A5av5T-0tarUtOJnT49mnHEOwRa8WaJDIZNN5OWNXQrGoZYvTnWeVjTcobwyT2NyI7tkBO7nPvRKzNRMVwJhBeDgUFOSvtucCb9PDPsCGTMTZsCgLnpE6Q1EVPTN0kFNLiEtjueQjJF_w4gukcigy52e2VN6H1N5Vv767axw8o28WfX7rVn0EoPpG_fahLi0vS4zrma_uzwF17rlHkiZl7VrsI2oW2zxBT20JfS-l6nlMqYjDlyWGbZ80DY03VD3Aw",
      e: "AQAB",
      d: "DachEe9KiADNHS7htnDVskgJdHc1P8sdrvZU6TqtBEjXmgIdZbGBpDsGKbaKlUUVp7hnlxQGDqZNdwMx79bQkKYvTNUCxCTutQlaT4XGTcPP1xtIqdFQ2pnw80F8p4QI4A0KaXP85W2dI6bzDZ4zW_A6YIvtK7zxDBtgoriXbC9iBo5V9RoB_LtI66B7t6mf_rEH670KxmoLHnuBcYFYtUNOhDshZaXSkNamzjTMFTL8ffEFCcRoskwTLXQW6XCnweT6x8kX4XjWqO64NjTbS6sFKxgjNKK3PYx3RFuj9nIWbUMCRf847_-3MyX8tQopYn9j21F4Zy2u1CytW6oPUQ",
      p: "yYn3s_jsdBn-wAr4f_1S0AMBzRhPR7QagoXsazOE2YN30hbjPesjcSjwVnIs6SJtxCkOdX6q4VOfhPwpGbgz2Ioa2Cgz2PiSXgTW8PaMqB59c8sHv4MSFUN3PTOCpTujX2hDqScVQ5hLxZ2hyD_oZ8K4lEOq9Aeu6gGorOkS6TM",
      q: "uIJC_xvYvl7etSVrAs2X8I62WaKwbCFCzX1q_dFmui8LGM1hquP9fD0K-C8Vs8NGXgBx6TyLe6-sjL3W_guE_8_5mTVrNSXbk_f0t24JJMol7InnAundlY2_X2MabC3nkDBf3BQVoEif09-z4UZ-U0XlZ-EvPqAxAfItVTRa2vE",
      dp: "Y3FJIKtVeKAO_BEttnF3eB3TuLAjBj1Oy1JraiXcijr9V1NlwvqP3VkW5YCmuk37nUuoz761cEMDtel6Gi-ynUjfoAKOOqPEDNIUgIcWtil9OzJV22A__u_wGOmesAryPLRElmUrb9Pop1R1LEqkUPZafwW4h3p3Cw3QfajvZNM",
      dq: "l4nVALWcRG6it2CuDTVSby6nMeNextBij2dMsn6DwrLUiGBWsQZjsOBp3AC_8E6XwqjW5drmLIXSUB2zMB_B8mCb_WtUS-h1-YeTI_xp4h9tGmMAqvHtHeG3pd49W1AwecphUN3mDSjYrCl1EbbWFgq4KaNXLDZhSdnfxbUkUeE",
      qi: "a78Zpyck3O54jmCiuybpHMjY16MXg6AMqkka-4mQdOSzPVMN2HV5NbPkEKRES7z5z2Ir0TfoJqmtRMYKFZOJT65ttucpbIOHQPeaCqYnZ_1HjNiLuMNy5I7_e1Nqtzhq7fpP1uQwcBwGgvu7VfBCXSTclUtp5zFnwwpuxQhtIPc"
    },
    second: {
      kid: "test-rs256-second",
      kty: "RSA",
      n: "qIMy4ub8_XTvZe3n5K7Yc2MYyROQUZucwOi66HN-T4eueWPsUWYjKo4egAgI6iswEyVcw0P9p-bUU8ShI2GwFbb-ClGTdElS7XGVulpcG4Qz8-9l5arsA8tONo_0sAX3YO3qOPnZ5NTnQ8DdNOKUIO0RPCNBiDRP7eJ6HVQA1dNCxc-5-cpPqRX_lsNQI_axFTeh5ZQ-3MEjfAUGoLUrraczOJt8mZy40HrXYpAmidr-ulfzy9VpHBO5_uHddcbDF_QI2Hl5p7qLgicP0OStLA9D4lEwMj3cHNWzgXjQTGdyjgwNGELyMNHBEYh1TNvwOVAEunJDJ-GI0DYheLhH0Q",
      e: "AQAB",
      d: "QF1wq-OP4Z3vLS9MgnhYe-ZvmqpK1ykJnFOoxM4MgoMwXPSSWNsa9o-3Ta8D_LHHWKDOSFVph17vXhm-dN3E3N57NWTIXkP9lW1rw_TstqPuFjAsaye4o5BdzRB6ZVu6DD-D1gR1Omcp-KKru54J93OlwCM1TjmxCAuYGiiycvlxhwoZ5FDr6J3FGlqtqi5qdoAcSBcaityYiTuJBvOkHnwyEF6wU3eRxF3n4a7L20r_tb06akkUU7DrGWrNNH5Qr2v4253zCLzskPheuligmy-DjQ3eRz-vqX5iHOoWhUlAwRcL_qvQHkPDMQPbEbBz_Hc8PG1RwjpOfiqJZa3Pew",
      p: "6YUj6ICg9bhhUAiZm5TXIC8n7V4n9rMEi7F_8ZiqvZqK-RLT6aUkJ-bcKBtaFP9K3m3E1aSw8woCeZjdPXC6AXZ96q1IqYeWD610SDUQArpFvwlvXTW9-1b1Wt9ZOmzSq_uHfd3JatKrax9OsHvKEG-NO6R4RWqm8MhEKvu6Das",
      q: "uLwDns5Q69giYqjSMKldPJcv5_zbfvaTgMmyJLrCy9osyz0AeTKJtCD-5my9zATqsZ-PVmJhc78Qn_AlZTKj6Q1fOkVSZqvEpWnpaKQtXMzVlYLLZ2E2ZRrMZy7PY2aXYMHByoALOcbnMk2kRiNVTVpO1-CKmuhmdtSPj5MgbHM",
      dp: "VepWO8SXc9BSfU-stEEepQi0d_CcY3eZxIuZtxmkN_4UA2-Z5-yKUOPvPBJUIkWLFirssG3XbJPSNUq4m1JOHRurWBxJD5aC72Gx1p8vNNGzt4WRI4oSS9bCjpx-B7DiEcSJJRXkdRjtWIw8N1JUFZf1Lmxkk6WZph0Id4gF--E",
      dq: "JbIP1w7oikePNKyYP1-_68Y5-0-ohm7QSH5fwIjviONbMpmfCBwc50m4WdKkpAX40gfqGsl2c0TwooJBTzYXJk4ZOW2907-HH-3NuBGQRBh0GM8YrF6018qxHPj7TqA3kYHYBnc8UyzYLnaTZ9B77o3X-ssR3WxAxEy5gqWV_ys",
      qi: "LrLCQJ2htgyIDCVOZ-z5LBO9axWw9Q9BGTJaM8Dg4lb14f9YE5HGBKhKnNp-GULldgTuAJ3WREOgMMHcYLNwZaU3hyVN5q0PdLJki6AqHstb0NWibIlS6CkXiIfOYk0DeigH2LWQ6QzRGdmJ4B4EeV-Kh3wsJOz55pu7Jx7cgRs"
    }
  },
  ES256: {
    first: {
      kid: "test-es256-first",
      kty: "EC",
      x: "2Lr4b9oHFGfQtZpstW2PaPYuR-bX1QXujybhpRWoL1Q",
      y: "GUxTvj3psZ7sJ7NDAUq2g4tlwHyyYukafJN9ePguP4c",
      crv: "P-256",
      d: "vuzerWfTOi-S5KSJX5Jn5Mi2AawbTNUK6WztWRj_TpA"
    },
    second: {
      kid: "test-es256-second",
      kty: "EC",
      x: "xervR4fZD-0nwvCPp28TARnoQdqQ-_j0QZlVlpMYVN4",
      y: "BK6WXBsW6C1exFK3NoIB-8g4Tq5qXQSteddhAGAJIss",
      crv: "P-256",
      d: "BApVfgS0H-014OYmSi3T2dKqzf0oewvDmM4jzHbkh_Y"
    }
  },
  EdDSA: {
    first: {
      kid: "test-eddsa-first",
      crv: "Ed25519",
      d: "IjaUqJQOz5Z9WeubXd_eSptwIBYLx7HY-nobvEX8UOI",
      x: "IwKXGtwDGfdrUCWp3kLkXoZNuQv4UsAJAsnh3qq0Q5s",
      kty: "OKP"
    },
    second: {
      kid: "test-eddsa-second",
      crv: "Ed25519",
      d: "OXEtDiS-USk5babpSFw389Q2CWsrBxgJW3lZo6Re1aU",
      x: "jaSJMCzHEGxRFqYT3OA6OvS6LnqfjJ7_BnjK8K6Pbsg",
      kty: "OKP"
    }
  }
}
