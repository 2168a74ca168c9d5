// The last column of a table of rules: change and remove.

import { IconButton } from '../../kit/button.tsx'
import { Delete16Regular, Edit16Regular } from '../../kit/icons.ts'
import type { Column } from '../../kit/table.tsx'

interface RuleButtons<Rule> {
  readonly changeLabel: string
  readonly removeLabel: string
  readonly onChange: (rule: Rule) => void
  readonly onRemove: (rule: Rule) => void
}

/** Returns the column with the buttons of a rule. */
export function ruleButtons<Rule>({ changeLabel, removeLabel, onChange, onRemove }: RuleButtons<Rule>): Column<Rule> {
  return {
    id: 'buttons',
    head: changeLabel,
    isHeadHidden: true,
    align: 'end',
    renderCell: (rule) => (
      <>
        <IconButton size="small" label={changeLabel} icon={<Edit16Regular />} onClick={() => onChange(rule)} />
        <IconButton size="small" label={removeLabel} icon={<Delete16Regular />} onClick={() => onRemove(rule)} />
      </>
    ),
  }
}
