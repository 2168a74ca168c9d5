// The parts of a call declaration that are needed to build a request.
import type { CallShape, calls } from '@cloudoc/contract'

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

/** Whether a call is sent before the signed-in page is loaded. */
export const isEarly = (name: string, { auth, path }: CallShape): boolean =>
  ofSessions.has(name) || ((auth === 'none' || auth === 'optional') && !path.startsWith(ofVisitors))

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
