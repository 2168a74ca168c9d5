// Byte-exact frames of the old channel, written manually from the decisions ("Binary push framing").
import { expect, test } from 'vitest'
import {
  decodeBinaryFrame,
  decodeClientFrame,
  decodeServerFrame,
  encodeBinaryFrame,
  encodeClientFrame,
  headerBytes,
} from './legacy-channel.ts'

const bytes = (hex: string): Uint8Array =>
  Uint8Array.from(hex.replaceAll(' ', '').match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
const hexOf = (of: Uint8Array): string => Array.from(of, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** A frame and its expected bytes: length, type, identity, body. */
const golden: [what: string, frame: Parameters<typeof encodeBinaryFrame>[0], hex: string][] = [
  ['a heartbeat', { pushType: 1, identity: '0', body: '' }, '00000000 01 0000000000000000'],
  ['a push', { pushType: 6, identity: '8123', body: '{"fId":7}' }, '00000009 06 0000000000001fbb 7b22664964223a377d'],
  ['Chinese, by its bytes', { pushType: 7, identity: '1', body: '"合"' }, '00000005 07 0000000000000001 22e5908822'],
  [
    'the largest identity',
    { pushType: 69, identity: '18446744073709551615', body: '{}' },
    '00000002 45 ffffffffffffffff 7b7d',
  ],
  [
    'a login',
    { pushType: 18, identity: '0', body: '{"token":"t"}' },
    '0000000d 12 0000000000000000 7b22746f6b656e223a2274227d',
  ],
]

test.each(golden)('[R307] %s has the bytes of the decisions, both ways', (_, frame, hex) => {
  expect(hexOf(encodeBinaryFrame(frame))).toBe(hex.replaceAll(' ', ''))
  expect(decodeBinaryFrame(bytes(hex))).toEqual(frame)
  // A view into a larger buffer, as Node returns them.
  const within = new Uint8Array([9, 9, ...bytes(hex), 9])
  expect(decodeBinaryFrame(within.subarray(2, within.length - 1))).toEqual(frame)
  expect(headerBytes).toBe(13)
})

test.each([
  ['nothing', ''],
  ['less than a header', '00000000 01 00000000000000'],
  ['fewer bytes than it says', '00000002 06 0000000000000001 7b'],
  ['more bytes than it says', '00000001 06 0000000000000001 7b7d'],
  ['a length beyond everything', 'ffffffff 06 0000000000000001 7b7d'],
  ['a body that is no UTF-8', '00000001 06 0000000000000001 ff'],
])('[R307] %s is no frame', (_, hex) => {
  expect(decodeBinaryFrame(bytes(hex))).toBeUndefined()
})

test('[R307] a client logs in and sends heartbeats; what else it says is no frame', () => {
  expect(decodeClientFrame(encodeClientFrame({ cmd: 'heartbeat' }))).toEqual({ cmd: 'heartbeat' })
  const login = { cmd: 'login', accountId: 5, token: 't', clientType: 9, lastIdentity: '7', epoch: 'e' } as const
  expect(decodeClientFrame(encodeClientFrame(login))).toEqual({ ...login, serverId: 0 })
  const said = (pushType: number, body: string) =>
    decodeClientFrame(encodeBinaryFrame({ pushType, identity: '0', body }))
  // The specified fields, and one unknown field.
  expect(
    said(18, '{"accountId":5,"token":"t","clientType":2,"serverId":0,"machineId":"m","lastIdentity":9,"os":"x"}'),
  ).toEqual({
    cmd: 'login',
    accountId: 5,
    token: 't',
    clientType: 2,
    serverId: 0,
    machineId: 'm',
    lastIdentity: '9',
    epoch: '',
  })
  for (const [type, body] of [
    [1, '{}'],
    [18, ''],
    [18, '[]'],
    [18, '{"token":5}'],
    [6, '{}'],
    [0, ''],
  ] as const)
    expect(said(type, body)).toBeUndefined()
})

test('[R307] what a server says is read in the shape of the JSON channel', () => {
  const frame = encodeBinaryFrame({ pushType: 48, identity: '3', body: '{"used":1,"total":2}' })
  expect(decodeServerFrame(frame, 'e')).toEqual({
    pushType: 48,
    identity: '3',
    epoch: 'e',
    data: { used: 1, total: 2 },
  })
  expect(decodeServerFrame(encodeBinaryFrame({ pushType: 48, identity: '3', body: '{' }), 'e')).toBeUndefined()
})
