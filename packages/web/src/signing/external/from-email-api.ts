// The calls of the page of who signs without an account. It has no session: its authorisation is the link, and a cookie for
// the addresses of the link.
import type { Answer, calls, SignFromEmail, SignInvitation } from '@cloudoc/contract'

export type { SignFromEmail, SignInvitation }

/** A refusal of the server. */
export class SignRefused extends Error {
  override name = 'SignRefused'
  readonly result: number

  constructor(result: number, message: string) {
    super(message)
    this.result = result
  }
}

/** Result codes that the page has its own words or acts for. */
export const refusals = { gone: -3, notAdmitted: -69, tooOften: -42, wrongCode: -115, conflict: -39 } as const

const success = -1
const base = (token: string): string => `/services2/signFromEmail/${encodeURIComponent(token)}`

async function ask<D>(token: string, path: string, body?: object): Promise<D> {
  const response = await fetch(`${base(token)}${path}`, {
    headers: {
      accept: 'application/json',
      'x-cloudoc-client': 'web',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  const { result, data, msg } = (await response.json()) as { result: number; data: D; msg: string }
  if (result !== success) throw new SignRefused(result, msg)
  return data
}

export const readInvitation = (token: string): Promise<SignInvitation> => ask(token, '')
export const readInside = (token: string): Promise<SignFromEmail> => ask(token, '/detail')
export const sendCode = (token: string): Promise<Answer<typeof calls.sendSignCode>> => ask(token, '/code', {})
export const enter = (token: string, typed: { codeTicket: string; code: string }): Promise<object> =>
  ask(token, '/open', typed)
export const lockFile = (token: string): Promise<object> => ask(token, '/lock', {})
export const unlockFile = (token: string): Promise<object> => ask(token, '/unlock', {})
export const rejectFile = (token: string, comments: string): Promise<object> => ask(token, '/reject', { comments })

interface ToSign {
  readonly revision: number
  readonly picture?: string
  readonly texts: readonly { readonly fieldId: number; readonly text: string }[]
}
export const signFile = (token: string, toSign: ToSign): Promise<object> => ask(token, '/sign', toSign)

export const fileAddress = (token: string, revision: number): string => `${base(token)}/file?revision=${revision}`

/** The bytes of a revision: what is shown is what is signed. */
export async function readFile(token: string, revision: number): Promise<ArrayBuffer> {
  const response = await fetch(fileAddress(token, revision))
  if (!response.ok) throw new SignRefused(response.status === 401 ? refusals.notAdmitted : 0, String(response.status))
  return response.arrayBuffer()
}
