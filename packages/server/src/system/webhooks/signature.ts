// The signature of a request, as the specification Standard Webhooks says: receivers verify it with its libraries.
import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

export const newSecret = (): string => prefix + randomBytes(32).toString('base64')

/** The three headers of a request; with several secrets there is a signature by each. */
export function signatureHeaders(
  secrets: readonly string[],
  { id, time, body }: { readonly id: string; readonly time: number; readonly body: string },
): Record<string, string> {
  const seconds = String(Math.floor(time / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures.join(' ') }
}
