// A device with a passkey: what a browser and its authenticator answer, with a real key.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest()

/** The few forms of CBOR (RFC 8949) that an authenticator needs. */
function cbor(value: unknown): Buffer {
  const head = (major: number, n: number): Buffer =>
    n < 24
      ? Buffer.from([(major << 5) | n])
      : n < 256
        ? Buffer.from([(major << 5) | 24, n])
        : Buffer.from([(major << 5) | 25, n >> 8, n & 255])
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = [...(value as Map<unknown, unknown>)]
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, one]) => [cbor(key), cbor(one)])])
}

/** How an answer differs from that of an honest browser. */
export interface Deviation {
  readonly origin?: string
  readonly host?: string
  readonly challenge?: string
  /** The owner was not checked by PIN or finger. */
  readonly unverified?: boolean
  readonly counter?: number
}

/** A device that holds one key. */
export class TestPasskey {
  readonly id = randomBytes(16)
  readonly #pair: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }
  readonly #origin: string
  counter = 0

  constructor(origin: string) {
    this.#origin = origin
    this.#pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  }

  #client(type: string, challenge: string, { origin = this.#origin, challenge: other }: Deviation): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge: other ?? challenge, origin, crossOrigin: false }))
  }

  #authenticator(host: string, more: Deviation, flags: number): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(more.counter ?? this.counter)
    return Buffer.concat([
      sha256(more.host ?? host),
      Buffer.from([flags | (more.unverified === true ? 0x01 : 0x05)]),
      count,
    ])
  }

  /** The answer to the options of `beginPasskey`. */
  register(options: string, more: Deviation = {}): string {
    const { challenge, rp } = JSON.parse(options) as { challenge: string; rp: { id: string } }
    const { x = '', y = '' } = this.#pair.publicKey.export({ format: 'jwk' })
    const key = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ])
    const data = Buffer.concat([
      this.#authenticator(rp.id, more, 0x40),
      Buffer.alloc(16),
      Buffer.from([0, this.id.length]),
      this.id,
      cbor(key),
    ])
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', data],
    ])
    return this.#answer({
      clientDataJSON: this.#client('webauthn.create', challenge, more).toString('base64url'),
      attestationObject: cbor(attestation).toString('base64url'),
      transports: ['internal'],
    })
  }

  /** The answer to the options of `startPasskeySignIn`. */
  sign(options: string, more: Deviation = {}): string {
    const { challenge, rpId } = JSON.parse(options) as { challenge: string; rpId: string }
    const client = this.#client('webauthn.get', challenge, more)
    const data = this.#authenticator(rpId, more, 0)
    return this.#answer({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', Buffer.concat([data, sha256(client)]), this.#pair.privateKey).toString('base64url'),
    })
  }

  #answer(response: object): string {
    const id = this.id.toString('base64url')
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response })
  }
}
