// The parts of a call declaration that are needed to build a request.
import type { Caller, CallShape, calls, Guard } from '@cloudoc/contract'
import { capabilityNames, denial } from '@cloudoc/domain'

const fields = ['kind', 'method', 'path', 'auth', 'payload', 'bodyField', 'timeoutMs', 'quiet'] as const

export type Shape = Pick<CallShape, (typeof fields)[number]>
export type Shapes = Readonly<Partial<Record<keyof typeof calls, Shape>>>

/** The calls the session module sends at sign-in and when it refreshes the session. */
const ofSessions: ReadonlySet<string> = new Set<keyof typeof calls>([
  'confirmWipe',
  'getMyAccountInfo',
  'getMyUserInfo',
  'getPushPosition',
  'getServerSetting',
  'getUserPermissionInfo',
  'saveLoginKey',
])

/** The page for visitors loads these separately. */
const ofVisitors = '/services2/visit/'

/** The windows about programs for computers are loaded after sign-in. */
const ofClients = '/services2/client/'

/** Whether a call is sent before the signed-in page is loaded. */
export const isEarly = (name: string, { auth, path }: CallShape): boolean =>
  ofSessions.has(name) ||
  ((auth === 'none' || auth === 'optional') && !path.startsWith(ofVisitors) && !path.startsWith(ofClients))

/** An account with everything that roles give, and no power over the installation. */
const withoutPowers: Caller = { kind: 'account', powers: [], capabilities: new Set(capabilityNames), isGuest: false }

/** Whether only administrators send a call. */
export const isAdministered = ({ guard }: CallShape & { readonly guard?: Guard }): boolean =>
  guard !== undefined && denial(guard.rule, withoutPowers) !== undefined

const shapeOf = (call: CallShape): Shape =>
  Object.fromEntries(fields.flatMap((field) => (call[field] === undefined ? [] : [[field, call[field]]]))) as Shape

export const shapesOf = (
  all: Readonly<Record<string, CallShape>>,
  wanted: (name: string, call: CallShape) => boolean,
): Shapes =>
  Object.fromEntries(
    Object.entries(all)
      .filter(([name, call]) => wanted(name, call))
      .map(([name, call]) => [name, shapeOf(call)]),
  )
