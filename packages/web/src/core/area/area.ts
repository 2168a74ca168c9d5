/*
 * The interface of an area of the product: a module `area.ts` in the area's folder with these exports, listed once in
 * app/areas.ts. Each loaded area is joined here. Code that shows windows, menus, pages or pushes looks them up here, so
 * no other code depends on a specific area.
 */
import type { FeatureSwitch, NoticeName, PushHandlers, PushName, PushPayload } from '@cloudoc/contract'
import type { Capability, Power } from '@cloudoc/domain'
import type { ComponentType, ReactNode } from 'react'
import { addTexts, type EnglishOf, type PlainTextKey } from '../i18n/i18n.ts'
import type { Action } from '../menu/action.ts'
import type { Command } from '../menu/commands.ts'
import { loadChunk } from '../page/chunks.tsx'
import { sessionStore } from '../session/session.ts'
import { toast } from '../toast/toast.ts'
import { registerWindows, type WindowDefinition } from '../windows/index.ts'

export interface Area {
  /** The switch with which an operator turns it off: then nothing of it is there. */
  readonly switchedBy?: FeatureSwitch
  readonly texts: { readonly zh: Readonly<Record<string, string>>; readonly en: EnglishOf<string> }
  /** Declared with `win`. */
  readonly windows?: Readonly<Record<string, Pick<WindowDefinition, 'size'>>>
  /** The handlers of pushes. */
  readonly pushes?: PushReactions
  /** The notices and messages that pushes produce. */
  readonly notices?: Notices
  /** Actions in lists, its own and those of other areas. */
  readonly menu?: readonly Action[]
  readonly routes?: readonly AreaRoute[]
  readonly rail?: readonly RailEntry[]
  /** Its lists in the module of applications and reviews of content, which has one pane for all of them. */
  readonly securityPages?: readonly SecurityPage[]
  /** Panes next to its pages. */
  readonly sides?: readonly Side[]
  /** Loads its pages in the administration. They are loaded with the frame of the administration (`adminPages`). */
  readonly adminPages?: () => Promise<readonly AdminPage[]>
  /** Its parts of the frame of the main window. */
  readonly frame?: FrameParts
  /** What it finds for the search of everything (Ctrl+K) beside files, people and commands. */
  readonly finder?: Finder
  /** Called after sign-in. Returns the function that stops it. */
  readonly start?: (on: AreaSession) => () => void
  /** Loads the shown data again, because pushes were missed. */
  readonly refetch?: () => void
}

export type PushReactions = Partial<PushHandlers<undefined>>
export type Notices = {
  readonly [N in PushName]?: N extends NoticeName ? NoticeView<PushPayload<N>> : TransientNotice<PushPayload<N>>
}

/**
 * The presentation of a notice in the notification centre. Its sentence, the target of a click, and how it is merged and
 * stored are declared by its push.
 */
export interface NoticeView<P> {
  readonly icon: (payload: P) => ReactNode
  /** Appended to the sentence: what depends on the session. */
  readonly addition?: (payload: P) => string
  /** Where it happened, or what is waiting. */
  readonly detail?: (payload: P) => string
  /** The address of the folder that contains the item. */
  readonly folder?: (payload: P) => string | undefined
}

/** The toast for a push that is not stored as a notice. */
export interface TransientNotice<P> {
  /** The group of the toast. */
  readonly group: string
  /** Identifies the subject. A later toast with the same key replaces the earlier one. */
  readonly key: (payload: P) => string
  readonly text: (payload: P) => string
  readonly click?: { readonly text: (payload: P) => string; readonly run: (payload: P) => void }
  /** How long it is shown. Default: the duration of any toast. */
  readonly lifetimeMs?: number
}

/** A page of an area. */
export interface AreaRoute {
  /** Below /doc/folder. A path that starts with a slash is a whole address. */
  readonly path: string
  /** Shown inside the frame of the main window, as all pages below /doc/folder are. */
  readonly framed?: true
  /** A user without this capability sees a message instead. */
  readonly needs?: Capability
  readonly page: ComponentType
}

/** A module of the rail. */
export interface RailEntry {
  readonly path: string
  /** Address prefixes of its other pages. The entry is also current on those. */
  readonly also?: readonly string[]
  readonly label: PlainTextKey
  readonly icon: ReactNode
  /** The icon while one of its pages is shown. */
  readonly current: ReactNode
  /** A badge with the number of waiting items. */
  readonly badge?: ComponentType
  /** Whether the entry is shown for these powers. Default: for everybody. */
  readonly show?: (powers: readonly Power[]) => boolean
  /** Shown to users with this capability. */
  readonly needs?: Capability
  /** Its order from the top. Default: 50. */
  readonly place?: number
  /** Hidden in the session of a guest (visitor, X51). */
  readonly notForGuests?: true
}

/** A list in the module below /doc/folder/security: its entry in the pane. Its page is a route of the area. */
export interface SecurityPage {
  /** Below /doc/folder/security. */
  readonly page: string
  /** The heading that groups it with others. Groups are in the order of their first page. */
  readonly group: PlainTextKey
  readonly label: PlainTextKey
  readonly icon: ReactNode
  /** Its order in the pane. */
  readonly order: number
  /** The counter of the server shown at its entry. Those of `waiting` add up to the badge of the module. */
  readonly counter?: { readonly name: string; readonly waiting: boolean }
  /** Shown to these users only. Default: everybody. */
  readonly show?: (powers: readonly Power[]) => boolean
}

/** The pane in the column next to the pages below an address, for example the folder tree next to the drive pages. */
export interface Side {
  readonly path: string
  readonly label: PlainTextKey
  readonly pane: ComponentType
  readonly needs?: Capability
}

/** Finds things of an area for the search of everything. A hit is run like a command. */
export interface Finder {
  /** The heading of its hits. */
  readonly title: PlainTextKey
  readonly find: (keyword: string, most: number) => Promise<readonly Command[]>
}

/** What an area shows in the frame of the main window. */
export interface FrameParts {
  /** At the start of the title bar. */
  readonly logo?: ComponentType
  /** In the middle of the title bar. */
  readonly search?: ComponentType
  /** At the end of the title bar. */
  readonly button?: ComponentType
  /** Above the page. */
  readonly strip?: ComponentType
  /** In the status bar. */
  readonly status?: ComponentType
}

/** A page of the administration, for users with its power. */
export interface AdminPage {
  /** Its address below /doc/admin. */
  readonly page: string
  readonly group: 'top' | 'organisation' | 'policy' | 'audit' | 'operation'
  /** Its order in the group. */
  readonly order: number
  readonly icon: ReactNode
  readonly label: PlainTextKey
  readonly power: Power | readonly Power[]
  readonly component: ComponentType
}

/** The user an area starts for. */
export interface AreaSession {
  readonly userId: number
  readonly accountId: number
  readonly navigate: (path: string) => void
}

const joined: Area[] = []

/** Registers the declarations of an area, once per area. */
export function joinArea(area: Area): void {
  if (joined.includes(area)) return
  joined.push(area)
  const { zh, en } = area.texts
  addTexts(zh, typeof en === 'function' ? () => loadChunk(en) : en)
  registerWindows(area.windows ?? {})
}

/** Whether an area is there: it is not while an operator has switched its feature off. */
const isOn = ({ switchedBy }: Area): boolean =>
  !sessionStore.getState().session?.serverSetting.features_off.includes(switchedBy as FeatureSwitch)

/** The loaded areas that are there, in order; or those that are switched off. */
export function areas(on = true): readonly Area[] {
  return joined.filter((area) => isOn(area) === on)
}

/** The pages of all areas in the administration. */
export async function adminPages(): Promise<readonly AdminPage[]> {
  return (await Promise.all(areas().map(async (area) => (await area.adminPages?.()) ?? []))).flat()
}

/** What the areas do and say when the server tells something. That each push is heard by one, app/join-areas.ts shows. */
export function pushHandlers(): PushHandlers<undefined> {
  const handlers: Partial<Record<PushName, (payload: never, context: undefined) => void>> = {}
  for (const area of joined) {
    const { pushes = {}, notices = {} } = area
    for (const name of Object.keys({ ...pushes, ...notices }) as PushName[]) {
      const before = handlers[name]
      handlers[name] = (payload, context) => {
        before?.(payload, context)
        if (!isOn(area)) return
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

/** Sets the receiver of pushes that are notices: the notification centre, which is loaded after sign-in. */
export function setNoticeHandler(by: NoticeHandler): void {
  handleNotice = by
}

/** The presentation of notices of a push; undefined for a push of another version. */
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

/** Makes every area load its shown data again. */
export function refetchAll(): void {
  for (const { refetch } of areas()) refetch?.()
}

/** The lists of all areas in the module of applications and reviews, in their order. */
export function securityPages(): readonly SecurityPage[] {
  return areas()
    .flatMap((area) => area.securityPages ?? [])
    .toSorted((a, b) => a.order - b.order)
}

/** The actions in the lists of a module, in the order of the areas. */
export function actionsIn<A extends Action>(module: string): A[] {
  // The lists of a module define the type of its actions.
  return areas().flatMap(({ menu = [] }) => menu.filter(({ modules }) => modules.includes(module))) as A[]
}
