// Compares a file that others changed with its previous version, if the user may preview it and its versions can be
// compared.
import type { ItemRecord } from '@cloudoc/contract'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import { evaluate, rules } from '../../items/actions/actions.ts'
import { useActionContext } from '../../items/actions/use-action-context.ts'
import { rowDetailsOf } from '../../items/lists/ordered-source.ts'
import { Button } from '../../kit/button.tsx'
import { isComparable } from '../../viewing/compare/comparable.ts'

/** Returns the version to compare with. Undefined if there is none, or if the file type cannot be compared. */
export function comparedWith(item: ItemRecord): number | undefined {
  const { changeFrom = 0 } = rowDetailsOf('change', item).change ?? {}
  return changeFrom > 0 && isComparable(item.fName) ? changeFrom : undefined
}

export function compareChange(item: ItemRecord): void {
  const from = comparedWith(item)
  if (from !== undefined) void openWindow('cloudoc-property', { item, pair: [from, item.version] })
}

/** The button in a row. Keyboard users have the menu. */
export function CompareChange({ item }: { readonly item: ItemRecord }): ReactNode {
  const t = useT()
  const context = useActionContext()
  if (comparedWith(item) === undefined || !evaluate(rules.preview, [item], context).enabled) return null
  return (
    <Button
      size="small"
      tabIndex={-1}
      onDoubleClick={(event) => event.stopPropagation()}
      onClick={(event) => {
        event.stopPropagation()
        compareChange(item)
      }}
    >
      {t('recent.compareShort')}
    </Button>
  )
}
