/*
 * What an area of the product declares of itself: a module `area.ts` in its folder with these exports, listed once in
 * app/areas.ts. Once it has come it is joined here, and whoever shows windows, menus, pages or pushes asks here: nothing
 * above knows an area by its name.
 */
import type { NoticeName, PushHandlers, PushName, PushPayload } from '@cloudoc/contract'
import type { Capability, Power } from '@cloudoc/domain'
import type { ComponentType, ReactNode } from 'react'
import { addTexts, type EnglishOf, type PlainTextKey } from '../i18n/i18n.ts'
import type { Action } from '../menu/action.ts'
import { loadChunk } from '../page/chunks.tsx'
import { toast } from '../toast/toast.ts'
import { registerWindows, type WindowDefinition } from '../windows/index.ts'

export interface Area {
  readonly texts: { readonly zh: Readonly<Record<string, string>>; readonly en: EnglishOf<string> }
  /** Declared with `win`. */
  readonly windows?: Readonly<Record<string, Pick<WindowDefinition, 'size'>>>
  /** What it does when the server tells something. */
  readonly pushes?: PushReactions
  /** What it says when the server tells something. */
  readonly notices?: Notices
  /** What can be done in lists, its own and those of other areas. */
  readonly menu?: readonly Action[]
  readonly routes?: readonly AreaRoute[]
  readonly rail?: readonly RailEntry[]
  /** What stands beside its pages. */
  readonly sides?: readonly Side[]
  /** Its pages in the administration. */
  readonly adminPages?: readonly AdminPage[]
  /** Runs while somebody is signed in; answers how to end. */
  readonly start?: (on: AreaSession) => () => void
  /** Fetches again what it shows: pushes were missed. */
  readonly refetch?: () => void
}

export type PushReactions = Partial<PushHandlers<undefined>>
export type Notices = {
  readonly [N in PushName]?: N extends NoticeName ? NoticeView<PushPayload<N>> : TransientNotice<PushPayload<N>>
}

/** How a notice looks in the centre, and what a click on it does. What it is kept by, its push says. */
export interface NoticeView<P> {
  readonly icon: (payload: P) => ReactNode
  /** Who did it; stands before the text. */
  readonly actor?: (payload: P) => string
  readonly text: (payload: P) => string
  /** Where it happened, or what waits. */
  readonly detail?: (payload: P) => string
  /** The address that a click leads to; what does not lead anywhere is only ignored. */
  readonly path?: (payload: P) => string | undefined
  /** The address of the folder that its item is in. */
  readonly folder?: (payload: P) => string | undefined
}

/** What a push is told in passing by, where it is not kept. */
export interface TransientNotice<P> {
  /** What belongs together. */
  readonly group: string
  /** Two of one key tell of one thing: the later takes the place of the earlier. */
  readonly key: (payload: P) => string
  readonly text: (payload: P) => string
  readonly click?: { readonly text: (payload: P) => string; readonly run: (payload: P) => void }
  /** How long it stays; as long as any toast unless said. */
  readonly lifetimeMs?: number
}

/** A page of an area. */
export interface AreaRoute {
  /** Below /doc/folder; one that starts with a slash is a whole address. */
  readonly path: string
  /** Inside the frame of the main window, as all those below /doc/folder are. */
  readonly framed?: true
  /** Whoever may not do this at all is told so instead. */
  readonly needs?: Capability
  readonly page: ComponentType
}

/** A module of the rail. */
export interface RailEntry {
  readonly path: string
  /** How the addresses of its other pages begin; it is current there too. */
  readonly also?: readonly string[]
  readonly label: PlainTextKey
  readonly icon: ReactNode
  /** The icon while one of its pages is shown. */
  readonly current: ReactNode
  /** What stands at it: how much waits there. */
  readonly badge?: ComponentType
  /** Whether it is there for these powers; for everybody unless said. */
  readonly show?: (powers: readonly Power[]) => boolean
  /** It is there for whoever may do this at all. */
  readonly needs?: Capability
  /** Its place from above; 50 unless said. */
  readonly place?: number
  /** It is not there in the session of a visitor (X51). */
  readonly notForGuests?: true
}

/** What stands in the column beside the pages below an address: the folder tree beside those of the drive. */
export interface Side {
  readonly path: string
  readonly label: PlainTextKey
  readonly pane: ComponentType
  readonly needs?: Capability
}

/** A page of the administration, for whoever has its power. */
export interface AdminPage {
  /** Its address below /doc/admin. */
  readonly page: string
  readonly group: 'top' | 'organisation' | 'policy' | 'audit' | 'operation'
  /** Its place in the group. */
  readonly order: number
  readonly icon: ReactNode
  readonly label: PlainTextKey
  readonly power: Power | readonly Power[]
  readonly component: ComponentType
}

/** For whom an area starts. */
export interface AreaSession {
  readonly userId: number
  readonly accountId: number
  readonly navigate: (path: string) => void
}

const joined: Area[] = []

/** Takes up what an area declares; once for each. */
export function joinArea(area: Area): void {
  if (joined.includes(area)) return
  joined.push(area)
  const { zh, en } = area.texts
  addTexts(zh, typeof en === 'function' ? () => loadChunk(en) : en)
  registerWindows(area.windows ?? {})
}

/** The areas that have come, in their order. */
export function areas(): readonly Area[] {
  return joined
}

/** What the areas do and say when the server tells something. That each push is heard by one, app/join-areas.ts shows. */
export function pushHandlers(): PushHandlers<undefined> {
  const handlers: Partial<Record<PushName, (payload: never, context: undefined) => void>> = {}
  for (const { pushes = {}, notices = {} } of joined) {
    for (const name of Object.keys({ ...pushes, ...notices }) as PushName[]) {
      const before = handlers[name]
      handlers[name] = (payload, context) => {
        before?.(payload, context)
        ;(pushes[name] as typeof before)?.(payload, context)
        const notice = notices[name] as NoticeView<never> | TransientNotice<never> | undefined
        if (notice === undefined) return
        if ('icon' in notice) handleNotice(name as NoticeName, payload)
        else showTransientNotice(notice, payload)
      }
    }
  }
  return handlers as PushHandlers<undefined>
}

type NoticeHandler = <N extends NoticeName>(name: N, payload: PushPayload<N>) => void
let handleNotice: NoticeHandler = () => undefined

/** Sets who takes up pushes that are notices: the centre, which comes when somebody has signed in. */
export function setNoticeHandler(by: NoticeHandler): void {
  handleNotice = by
}

/** How notices that came with a push look; undefined for those of another version. */
export function noticeView(name: PushName | undefined): NoticeView<unknown> | undefined {
  const view = name && joined.find(({ notices }) => notices?.[name] !== undefined)?.notices?.[name]
  return view !== undefined && 'icon' in view ? (view as NoticeView<unknown>) : undefined
}

function showTransientNotice<P>({ group, key, text, click, lifetimeMs }: TransientNotice<P>, payload: P): void {
  toast({
    text: text(payload),
    key: `${group} ${key(payload)}`,
    ...(click && { action: { text: click.text(payload), run: () => click.run(payload) } }),
    ...(lifetimeMs !== undefined && { durationMs: lifetimeMs }),
  })
}

/** Every area fetches again what it shows. */
export function refetchAll(): void {
  for (const { refetch } of joined) refetch?.()
}

/** What can be done in the lists of a module, in the order of the areas. */
export function actionsIn<A extends Action>(module: string): A[] {
  // What an action of a module is, the lists of that module say.
  return areas().flatMap(({ menu = [] }) => menu.filter(({ modules }) => modules.includes(module))) as A[]
}
