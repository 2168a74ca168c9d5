/*
 * An action on items: the object that a feature declares, what it gets when it runs, and what menus make of a list of them.
 * A list of items collects those of its module (`actionsIn`), in the order of the areas; menus stand by group and place.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { MoreHorizontal16Regular, PeopleCommunity16Regular, Shield16Regular } from '@fluentui/react-icons'
import type { ReactNode } from 'react'
import { type PlainTextKey, t } from '../../core/i18n/i18n.ts'
import type { Action } from '../../core/menu/action.ts'
import type { MenuEntry } from '../../core/menu/menu.ts'
import { type ActionContext, evaluate, hidden, type Reason, type Rule, type Verdict } from './actions.ts'
import { reasonText } from './reasons.ts'

/** The lists whose items lie in different places, and all lists of items that live; the tree of folders is one. */
export const flatLists: readonly string[] = ['interest', 'shared', 'favorite', 'recent', 'tag']
export const itemLists: readonly string[] = ['files', 'tree', 'search', ...flatLists]

/** Groups that are menus of their own, so that the first one stays short. */
const submenus = {
  together: { label: 'drive.menu.together', icon: <PeopleCommunity16Regular /> },
  safety: { label: 'drive.menu.safety', icon: <Shield16Regular /> },
  more: { label: 'drive.menu.more', icon: <MoreHorizontal16Regular /> },
} as const
type Submenu = keyof typeof submenus

/** The groups of the two menus, in their order; a line stands between them, and none between menus that follow each other. */
const groups = {
  items: ['open', 'save', 'change', 'together', 'safety', 'more', 'remove'],
  folder: ['upload', 'new', 'paste', 'view'],
} as const
type MenuOf = keyof typeof groups
type Group = (typeof groups)[MenuOf][number]
const isSubmenu = (group: Group): group is Submenu => Object.hasOwn(submenus, group)

/** How an action was asked for. */
export type ActionSource = 'menu' | 'button' | 'key'

/** What an action gets when it runs. `Page` is what it needs of the page around the list. */
export interface Scene<Page = unknown> {
  /** What is selected, as far as it is loaded. */
  readonly items: readonly ItemRecord[]
  /** Does something with all that is selected, loaded by then; says so where that cannot be. */
  readonly withAll: (act: (all: readonly ItemRecord[]) => unknown) => void
  /** The folder that is shown. */
  readonly folder: ItemRecord | undefined
  readonly by: ActionSource
  readonly page: Page
}

/** Something that can be done in a list of items; its rule (`gate`, `count`, `only`, …) stands in it. */
export interface ItemAction<Page = unknown> extends Action, Rule {
  /** With what: the items that are selected, the folder that is shown, or neither. */
  readonly on: 'items' | 'folder' | 'page'
  /** What the gate cannot know; where it does not hold the action is not offered. */
  readonly show?: (item: ItemRecord) => boolean
  /** Whether its keys are its own with these items; otherwise they are whatever they are without it. */
  readonly answers?: (items: readonly ItemRecord[], context: ActionContext) => boolean
  /** What it comes to where its key is refused, if that is anything; said in a toast otherwise. */
  readonly refused?: (item: ItemRecord, reason: Reason) => (() => unknown) | undefined
  /** Refusals that it leads out of: it is offered beside them. */
  readonly lifts?: readonly Reason[]
  /** Its place in the menu of the items or of the ground. */
  readonly menu?: {
    readonly group: Group
    readonly place: number
    readonly label?: PlainTextKey
    /** Items whose menu it stands in; all unless said. */
    readonly of?: (item: ItemRecord) => boolean
  }
  /** Its place in the toolbar: in one of the menus there, a button of its own, or beside what is selected, with an icon. */
  readonly tool?: 'upload' | 'new' | 'button' | { readonly icon: ReactNode }
  /** Can be found by its name, or by the words that this makes. */
  readonly find?: true | (() => string)
  readonly run: (scene: Scene<Page>) => unknown
}

/** What may be done in a list now, and how. */
export interface Able<Page = never> {
  readonly actions: readonly ItemAction<Page>[]
  readonly items: readonly ItemRecord[]
  readonly verdict: (action: ItemAction<Page>) => Verdict
  readonly run: (action: ItemAction<Page>, by: ActionSource) => void
  /** Says what stands in the way of an action, and what can be done about it. */
  readonly explain?: (action: ItemAction<Page>, reason: Reason) => void
}

/** What an action is judged on. */
interface Judged {
  readonly items: readonly ItemRecord[]
  /** How many are selected, loaded or not. */
  readonly count: number
  readonly folder: ItemRecord | undefined
  readonly context: ActionContext
}

/** Whether an action is possible there, and worth showing. */
export function verdictOf(action: ItemAction<never>, { items, count, folder, context }: Judged): Verdict {
  if (action.on === 'page') return { show: true, enabled: true, reason: undefined }
  if (action.on === 'folder') return evaluate(action, folder === undefined ? [] : [folder], context)
  const [first] = items
  if (first !== undefined && action.show?.(first) === false) return hidden('wrongKind')
  return evaluate(action, items, context, count)
}

/** An action as the entry of a menu; none where it is not shown. */
export function entryOf<Page>(
  { verdict, run, explain }: Able<Page>,
  action: ItemAction<Page>,
  by: ActionSource,
): MenuEntry[] {
  const { show, enabled, reason } = verdict(action)
  if (!show) return []
  const { id, icon, keys, hint = keys?.[0], danger, label, menu } = action
  return [
    {
      id,
      icon,
      label: t(menu?.label ?? label),
      ...(hint !== undefined && { hint }),
      ...(danger && { danger }),
      ...(enabled || reason === undefined
        ? {}
        : {
            disabled: true,
            reason: reasonText(reason),
            ...(explain !== undefined && { why: () => explain(action, reason) }),
          }),
      run: () => run(action, by),
    },
  ]
}

/** The menu of what is selected, or of the ground that holds no row. The order is constant; entries vanish, never move. */
export function menuOf<Page>(able: Able<Page>, of: MenuOf): MenuEntry[] {
  const [first] = able.items
  return groups[of].flatMap((group): MenuEntry[] => {
    const entries = inMenuOrder(able.actions)
      .filter(({ menu }) => menu?.group === group && (first === undefined || menu.of?.(first) !== false))
      .flatMap((action) => entryOf(able, action, 'menu'))
    if (!isSubmenu(group)) return [{ separator: true }, ...entries, { separator: true }]
    // One entry is no menu.
    if (entries.length === 1) return entries
    const { label, icon } = submenus[group]
    return [{ id: group, icon, label: t(label), children: entries }]
  })
}

/** Those that stand in a menu, as they follow each other there. */
export function inMenuOrder<Page>(actions: readonly ItemAction<Page>[]): ItemAction<Page>[] {
  const order: readonly string[] = [...groups.items, ...groups.folder]
  const placeOf = ({ menu }: ItemAction<Page>): number =>
    menu === undefined ? 0 : order.indexOf(menu.group) * 1000 + menu.place
  return actions.filter(({ menu }) => menu !== undefined).sort((a, b) => placeOf(a) - placeOf(b))
}
