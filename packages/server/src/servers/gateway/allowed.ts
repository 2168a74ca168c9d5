// Which calls people make at a linked server through this one: those about files, what they are told of them, and who
// they are there. What administrates, edits together or concerns people is used at that server itself.
import { type CallShape, type Calls, features, type Guard, signedIn } from '@cloudoc/contract'

const relayed = [
  features.comments,
  features.downloadLimits,
  features.favorites,
  features.files,
  features.follow,
  features.libraries,
  features.logs,
  features.notices,
  features.preview,
  features.push,
  features.recent,
  features.recycle,
  features.rights,
  features.search,
  features.tags,
  features.transfer,
  features.versions,
  features.watermarks,
  features.serverCopies,
] as const

/** Calls that a server makes, with the sessions of its people. */
const byServers = new Set<string>(['noteFileOrigin'] satisfies (keyof typeof features.serverCopies.calls)[])

/** Calls of other features that a client needs to know what it may do there, and to sign out. */
const alsoRelayed: readonly (keyof typeof features.auth.calls)[] = [
  'getMyAccountInfo',
  'getServerSetting',
  'getUserPermissionInfo',
  'getUseSpaceSizeInfo',
  'logout2',
]

const tusPath = '/services2/upload/tus'

interface Route {
  readonly method: string
  readonly pattern: RegExp
  /** The answer is no envelope. */
  readonly isStream: boolean
  /** It ends the session there. */
  readonly isSignOut: boolean
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replace(/\{\w+\}/g, '[^/]+')}$`)

const ofFeatures: Calls = Object.fromEntries(
  relayed
    .flatMap((feature) => ('calls' in feature ? Object.entries<CallShape>(feature.calls) : []))
    .filter(([name]) => !byServers.has(name)),
) as Calls
const needsPower = (call: object): boolean =>
  'guard' in call && ![signedIn.name, 'ownAccount'].includes((call as { readonly guard: Guard }).guard.name)

const routes: readonly Route[] = [
  ...[
    ...Object.values(ofFeatures).filter((call) => !needsPower(call)),
    ...alsoRelayed.map((name): CallShape => features.auth.calls[name]),
  ].flatMap(({ method, path, aliases = [], kind }: CallShape) =>
    [path, ...aliases].map((one) => ({
      ...{ method, pattern: patternOf(one), isStream: kind === 'stream' },
      isSignOut: path === features.auth.calls.logout2.path,
    })),
  ),
  ...['POST', 'PATCH', 'HEAD', 'DELETE'].map((method) => ({
    ...{ method, pattern: new RegExp(`^${tusPath}(/[^/]+)?$`), isStream: true, isSignOut: false },
  })),
]

/** How a request is relayed; undefined if it is not. `path` is without its query. */
export function routeOf(method: string, path: string): Route | undefined {
  return routes.find((route) => route.method === method && route.pattern.test(path))
}
