// The actions of a list: those of its module, evaluated for the selection and run by menus, buttons and keys. The key
// of an action that is not possible shows the reason.
import type { ItemRecord } from '@cloudoc/contract'
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { actionsIn } from '../../../core/area/area.ts'
import { t } from '../../../core/i18n/i18n.ts'
import { actionOfKeys, isTyping } from '../../../core/menu/action.ts'
import { useCommands } from '../../../core/menu/commands.ts'
import { showMenu } from '../../../core/menu/menu.ts'
import type { ActionContext, Reason } from '../../../items/actions/actions.ts'
import {
  type Able,
  type ActionSource,
  type ItemAction,
  menuOf,
  type Scene,
  verdictOf,
} from '../../../items/actions/item-action.tsx'
import { notifyFailure } from '../../../items/actions/operations.ts'
import { explainRefusal, notifyRefusal, type Refusal } from '../../../items/actions/refusals.ts'
import {
  countOf,
  invertSelection,
  knownItems,
  orderOf,
  type Selection,
  selectAll,
  selectedItems,
  selectOnly,
} from '../../../items/lists/selection.ts'
import type { ListSource } from './list-source.ts'
import type { ListRows } from './use-list-rows.ts'

interface ActionsOf<Page> {
  readonly source: Pick<ListSource, 'rows' | 'module' | 'folder'>
  readonly rows: ListRows
  /** The element around the list and its tools. */
  readonly root: RefObject<HTMLElement | null>
  /** The user and the page state for the gates. */
  readonly context: ActionContext
  /** The interface that the page around the list offers to actions. */
  readonly page: Page
}

export interface ListActions<Page> {
  /** The actions for the selection. */
  readonly able: Able<Page>
  /** Runs the action of this id, or shows why it is not possible. */
  readonly attempt: (id: string) => void
  /** Opens the menu of the selection, or of the empty area if nothing is selected. */
  readonly openMenu: (at: { x: number; y: number }, selected: Selection) => void
  /** The key handler for the element around the list and its tools. */
  readonly onKeyDown: (event: React.KeyboardEvent) => void
}

export function useListActions<Page>({ source, rows, root, context, page }: ActionsOf<Page>): ListActions<Page> {
  const { rows: list, module, folder } = source
  const { selection, setSelection, chosen } = rows
  const actions = actionsIn<ItemAction<Page>>(module)

  const runWithAll = async (
    selected: Selection,
    items: readonly ItemRecord[],
    act: (all: readonly ItemRecord[]) => unknown,
  ): Promise<void> => {
    try {
      const all = countOf(selected) === items.length ? items : await selectedItems(selected, list)
      if (all === undefined) notifyFailure(t('drive.notAllKnown'))
      else await act(all)
    } catch (error) {
      notifyFailure(error)
    }
  }
  const refusalOf = (
    selected: Selection,
    items: readonly ItemRecord[],
    action: ItemAction<Page>,
    reason: Reason,
  ): Refusal => {
    const only = selected.focus === undefined ? [...selected.keys].slice(0, 1) : [selected.focus]
    const concerned: Pick<Refusal, 'items' | 'withAll'> =
      action.on === 'folder' && folder !== undefined
        ? { items: [folder] }
        : { items, withAll: (act) => void runWithAll(selected, items, act) }
    return { action, reason, ...concerned, selectOne: () => setSelection(selectOnly(only)), context }
  }
  const ableWith = (selected: Selection, items: readonly ItemRecord[]): Able<Page> => {
    const count = countOf(selected)
    return {
      actions,
      items,
      verdict: (action) => verdictOf(action, { items, count, folder, context }),
      run: (action, by: ActionSource) => {
        const withAll: Scene['withAll'] = (act) => void runWithAll(selected, items, act)
        void action.run({ items, withAll, folder, by, page })
      },
      explain: (action, reason) => explainRefusal(refusalOf(selected, items, action, reason)),
    }
  }
  const able = ableWith(selection, chosen)

  const perform = (action: ItemAction<Page>): void => {
    const { enabled, reason } = able.verdict(action)
    if (enabled) return able.run(action, 'key')
    if (reason === undefined) return
    const [first] = chosen
    const instead = chosen.length === 1 && first !== undefined ? action.refused?.(first, reason) : undefined
    if (instead === undefined) notifyRefusal(refusalOf(selection, chosen, action, reason))
    else void instead()
  }
  /** Ctrl+A selects the list wherever the focus is outside it: a button of the page, the tree, or nowhere. */
  const answerSelectAll = (event: KeyboardEvent | React.KeyboardEvent): boolean => {
    const isMeant = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'a'
    if (!isMeant || event.defaultPrevented) return false
    const order = orderOf(list)
    setSelection(event.shiftKey ? invertSelection(selection, order) : selectAll(selection, order))
    event.preventDefault()
    return true
  }
  const answer = (event: KeyboardEvent | React.KeyboardEvent, among: readonly ItemAction<Page>[]): void => {
    const action = actionOfKeys(among, event)
    if (action === undefined || action.answers?.(chosen, context) === false) return
    perform(action)
    event.preventDefault()
  }

  // Actions of the folder also work when the focus is in the tree or nowhere.
  const onPageKey = useEffectEvent((event: KeyboardEvent): void => {
    const { target } = event
    if (event.defaultPrevented || isTyping(target) || !(target instanceof Element)) return
    if (root.current?.contains(target) || target.closest('[role=dialog], [role=menu]') !== null) return
    if (answerSelectAll(event)) return
    const anywhere = actions.filter((action) => action.anywhere)
    answer(event, anywhere)
  })
  useEffect(() => {
    window.addEventListener('keydown', onPageKey)
    return () => window.removeEventListener('keydown', onPageKey)
  }, [])

  useCommands(() =>
    actions.flatMap((action) => {
      const { id, label, find, on, keys, hint = keys?.[0] } = action
      if (find === undefined || !able.verdict(action).enabled) return []
      return {
        id,
        label: find === true ? t(label) : find(),
        // The shortcuts of item actions are shown in the menu of the items instead.
        ...(on === 'page' && hint !== undefined && { hint }),
        run: () => able.run(action, 'button'),
      }
    }),
  )

  return {
    able,
    attempt(id) {
      const action = actions.find((one) => one.id === id)
      if (action !== undefined) perform(action)
    },
    openMenu(at, selected) {
      const on = ableWith(selected, knownItems(selected, list))
      void showMenu(menuOf(on, countOf(selected) > 0 ? 'items' : 'folder'), at)
    },
    onKeyDown(event) {
      if (isTyping(event.target) || answerSelectAll(event)) return
      // Enter and Space press the focused button.
      if ((event.key === 'Enter' || event.key === ' ') && event.target instanceof HTMLButtonElement) return
      answer(event, actions)
    },
  }
}
