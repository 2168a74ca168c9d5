/*
 * Actions on items: the object that a feature declares (`ItemAction`), the context it gets when it runs, and the menus
 * that are built from a list of actions. A list of items collects the actions of its module (`actionsIn`) in the order
 * of the areas. Menus order them by group and place.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { mainServerId } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { type PlainTextKey, t } from '../../core/i18n/i18n.ts'
import type { Action } from '../../core/menu/action.ts'
import type { MenuEntry } from '../../core/menu/menu.ts'
import { MoreHorizontal16Regular, PeopleCommunity16Regular, Shield16Regular } from '../../kit/icons.ts'
import { type ActionContext, evaluate, hidden, type Reason, type Rule, type Verdict } from './actions.ts'
import { reasonText } from './reasons.ts'

/**
 * `flatLists`: the lists whose items lie in different folders. `itemLists`: all lists of items that are not deleted,
 * including the folder tree.
 */
export const flatLists: readonly string[] = ['interest', 'shared', 'favorite', 'recent', 'tag']
export const itemLists: readonly string[] = ['files', 'tree', 'search', ...flatLists]

/** Groups that are shown as submenus, to keep the top menu short. */
const submenus = {
  together: { label: 'drive.menu.together', icon: <PeopleCommunity16Regular /> },
  safety: { label: 'drive.menu.safety', icon: <Shield16Regular /> },
  more: { label: 'drive.menu.more', icon: <MoreHorizontal16Regular /> },
} as const
type Submenu = keyof typeof submenus

/** The groups of the two menus, in order. Groups are divided by a separator line, except for adjacent submenus. */
const groups = {
  items: ['open', 'save', 'change', 'together', 'safety', 'more', 'remove'],
  folder: ['upload', 'new', 'paste', 'view'],
} as const
type MenuOf = keyof typeof groups
type Group = (typeof groups)[MenuOf][number]
const isSubmenu = (group: Group): group is Submenu => Object.hasOwn(submenus, group)

/** How the user started the action. */
export type ActionSource = 'menu' | 'button' | 'key'

/** The context that an action gets when it runs. `Page` is what the action needs from the page around the list. */
export interface Scene<Page = unknown> {
  /** The loaded items of the selection. */
  readonly items: readonly ItemRecord[]
  /** Loads the whole selection and runs `act` on it. Shows a message if that is not possible. */
  readonly withAll: (act: (all: readonly ItemRecord[]) => unknown) => void
  /** The current folder. */
  readonly folder: ItemRecord | undefined
  readonly by: ActionSource
  readonly page: Page
}

/** An action in a list of items, including its rule (`gate`, `count`, `only`, …). */
export interface ItemAction<Page = unknown> extends Action, Rule {
  /** What the action applies to: the selected items, the current folder, or neither. */
  readonly on: 'items' | 'folder' | 'page'
  /** The action works with items of linked servers as well. Others are not offered for them. */
  readonly linked?: true
  /** A condition that the gate cannot express. The action is not offered where it is false. */
  readonly show?: (item: ItemRecord) => boolean
  /** Whether the action takes its keys for these items. If false, the keys keep their default behaviour. */
  readonly answers?: (items: readonly ItemRecord[], context: ActionContext) => boolean
  /**
   * Returns a handler for the case that the key of the action is refused, if it has one. Otherwise a toast shows the
   * reason.
   */
  readonly refused?: (item: ItemRecord, reason: Reason) => (() => unknown) | undefined
  /**
   * The refusals that this action can resolve, by their reason. It is offered along with them. `of`: only where one of
   * these actions was refused; there it comes before actions that resolve any refusal.
   */
  readonly lifts?: { readonly reasons: readonly Reason[]; readonly of?: readonly string[] }
  /** The position of the action in the menu of the items or in the menu of the empty area. */
  readonly menu?: {
    readonly group: Group
    readonly place: number
    readonly label?: PlainTextKey
    /** Items in whose menu the action appears. Default: all. */
    readonly of?: (item: ItemRecord) => boolean
  }
  /**
   * The position of the action in the toolbar: in one of the toolbar menus, as a button of its own, or with an icon
   * next to the selection.
   */
  readonly tool?: 'upload' | 'new' | 'button' | { readonly icon: ReactNode }
  /** The action can be found by its name, or by the search terms that this function returns. */
  readonly find?: true | (() => string)
  readonly run: (scene: Scene<Page>) => unknown
}

/** The actions of a list in its current state, and how to run them. */
export interface Able<Page = never> {
  readonly actions: readonly ItemAction<Page>[]
  readonly items: readonly ItemRecord[]
  readonly verdict: (action: ItemAction<Page>) => Verdict
  readonly run: (action: ItemAction<Page>, by: ActionSource) => void
  /** Explains why an action is not possible and what the user can do about it. */
  readonly explain?: (action: ItemAction<Page>, reason: Reason) => void
}

/** The input for the verdict on an action. */
interface Judged {
  readonly items: readonly ItemRecord[]
  /** The size of the selection, loaded or not. */
  readonly count: number
  readonly folder: ItemRecord | undefined
  readonly context: ActionContext
}

/** Evaluates whether an action is possible in this state, and whether to show it. */
export function verdictOf(action: ItemAction<never>, { items, count, folder, context }: Judged): Verdict {
  if (action.on === 'page') return { show: true, enabled: true, reason: undefined }
  const concerned = action.on === 'folder' ? (folder === undefined ? [] : [folder]) : items
  if (action.linked !== true && concerned.some(({ serverId }) => serverId !== mainServerId)) return hidden('wrongKind')
  if (action.on === 'folder') return evaluate(action, folder === undefined ? [] : [folder], context)
  const shown = action.forAny ? items : items.slice(0, 1)
  if (shown.length > 0 && shown.every((item) => action.show?.(item) === false)) return hidden('wrongKind')
  return evaluate(action, items, context, count)
}

/** Returns the menu entry of an action, or none if the action is not shown. */
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

/**
 * Builds the menu of the selection, or of the empty area of the list. The order is constant: entries disappear but
 * never move.
 */
export function menuOf<Page>(able: Able<Page>, of: MenuOf): MenuEntry[] {
  const [first] = able.items
  return groups[of].flatMap((group): MenuEntry[] => {
    const entries = inMenuOrder(able.actions)
      .filter(({ menu }) => menu?.group === group && (first === undefined || menu.of?.(first) !== false))
      .flatMap((action) => entryOf(able, action, 'menu'))
    if (!isSubmenu(group)) return [{ separator: true }, ...entries, { separator: true }]
    // A single entry does not need a submenu.
    if (entries.length === 1) return entries
    const { label, icon } = submenus[group]
    return [{ id: group, icon, label: t(label), children: entries }]
  })
}

/** Returns the actions that have a menu entry, in menu order. */
export function inMenuOrder<Page>(actions: readonly ItemAction<Page>[]): ItemAction<Page>[] {
  const order: readonly string[] = [...groups.items, ...groups.folder]
  const placeOf = ({ menu }: ItemAction<Page>): number =>
    menu === undefined ? 0 : order.indexOf(menu.group) * 1000 + menu.place
  return actions.filter(({ menu }) => menu !== undefined).sort((a, b) => placeOf(a) - placeOf(b))
}
