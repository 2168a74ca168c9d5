// The context menu of a folder in the tree: the actions that need no list ([R143]).
import type { ItemRecord } from '@cloudoc/contract'
import { actionsIn } from '../../core/area/area.ts'
import { api } from '../../core/call/api.ts'
import { showMenu } from '../../core/menu/menu.ts'
import type { ActionContext } from '../../items/actions/actions.ts'
import { type Able, type ItemAction, menuOf, verdictOf } from '../../items/actions/item-action.tsx'
import { notifyFailure } from '../../items/actions/operations.ts'
import { explainRefusal, sceneOf } from '../../items/actions/refusals.ts'

/** Opens the menu. The gates need more data than the tree has, so the folder is loaded first. */
export async function openTreeMenu(
  { serverId, fId }: Pick<ItemRecord, 'serverId' | 'fId'>,
  context: ActionContext,
  at: { readonly x: number; readonly y: number },
): Promise<void> {
  try {
    const folder = await api.of({ serverId }).getFolderInfo({ folderId: fId }, { quiet: true })
    const items = [folder]
    const able: Able = {
      actions: actionsIn<ItemAction<never>>('tree'),
      items,
      verdict: (action) => verdictOf(action, { items, count: 1, folder, context }),
      run: (action, by) => void action.run({ ...sceneOf(folder), by } as never),
      explain: (action, reason) => explainRefusal({ action, reason, items, selectOne: () => undefined, context }),
    }
    await showMenu(menuOf(able, 'items'), at)
  } catch (error) {
    notifyFailure(error)
  }
}
