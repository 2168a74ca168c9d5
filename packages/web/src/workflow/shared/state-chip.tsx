// The state of a process, as a word in its color.
import type { ProcessRow } from '@cloudoc/contract'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { type ChipTone, StatusChip } from '../../kit/chips.tsx'

const tones: Readonly<Record<ProcessRow['state'] | 'mine', ChipTone>> = {
  mine: 'info',
  draft: 'neutral',
  running: 'info',
  back: 'warning',
  passed: 'success',
  failed: 'danger',
  withdrawn: 'neutral',
}

export function StateChip({ process }: { readonly process: Pick<ProcessRow, 'state' | 'isAwaited'> }): ReactNode {
  const t = useT()
  const state = process.isAwaited ? 'mine' : process.state
  return <StatusChip tone={tones[state]}>{t(`workflow.state.${state}`)}</StatusChip>
}
