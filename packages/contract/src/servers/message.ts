// Signed messages between linked servers: the fields that a server adds to the input of a call to another one.
import { z } from 'zod'
import { Time } from '../fields.ts'

/** An Ed25519 public key, which names a server: 32 bytes as base64url. */
export const ServerKey = z.string().regex(/^[\w-]{43}$/)

/**
 * Who sends the message, to whom, when, and the signature of the sender. A message is taken once, and only within some
 * minutes by the clock of the receiver.
 */
export const signedFields = {
  from: ServerKey.describe('The key of the server that sends this.'),
  to: ServerKey.describe('The key of the server that this is for.'),
  sentAt: Time.describe('When it was sent, by the clock of the sender.'),
  nonce: z
    .string()
    .regex(/^[\w-]{20,100}$/)
    .describe('A random text: a message is taken once.'),
  signature: z
    .string()
    .regex(/^[\w-]{86}$/)
    .describe('The Ed25519 signature of the call and its other fields.'),
} as const

/** Fields that satisfy the schema of a signed message, for the samples of calls. */
export const unsignedSample = {
  from: 'f'.repeat(43),
  to: 't'.repeat(43),
  sentAt: 1,
  nonce: 'n'.repeat(32),
  signature: 's'.repeat(86),
} as const
