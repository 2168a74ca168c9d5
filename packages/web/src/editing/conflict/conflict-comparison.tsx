// cloudoc-edit-compare: the server version side by side with the content of the editor. Both are based on the same
// version.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { ComparedLines, DifferenceButtons, differencesIn } from '../../viewing/compare/compared-lines.tsx'
import { compareLinesInWorker } from '../../viewing/compare/line-comparison.ts'
import type { MergeLines } from './comparison.ts'
import '../shared/edit-dialogs.css'

export interface ConflictComparisonProps {
  readonly name: string
  readonly both: MergeLines
  /** The author and the number of the server version. */
  readonly author: string
  readonly version: number
}

export function ConflictComparison({ both, author, version, close }: WindowProps<ConflictComparisonProps>): ReactNode {
  const t = useT()
  const [at, setAt] = useState(0)
  const id = useId()
  const { data: lines } = useQuery({
    queryKey: ['drive', 'compare', 'both', id],
    queryFn: ({ signal }) => compareLinesInWorker(both.theirs, both.mine, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const differences = differencesIn(lines ?? [])
  const count = (kind: 'add' | 'remove' | 'change'): number => lines?.filter((line) => line.kind === kind).length ?? 0
  return (
    <>
      <div className="ed-compare">
        <span role="status">
          {lines === undefined
            ? t('property.comparing')
            : differences === 0
              ? t('editor.compare.same')
              : t('property.differs', {
                  n: differences,
                  add: count('add'),
                  remove: count('remove'),
                  change: count('change'),
                })}
        </span>
        <DifferenceButtons at={at} total={differences} onGo={setAt} />
      </div>
      <div className="ed-compare-heads">
        <b title={author}>{t('editor.compare.theirs', { n: version, who: author })}</b>
        <b>{t('editor.compare.mine')}</b>
      </div>
      {lines === undefined ? <Spinner /> : <ComparedLines lines={lines} at={at} />}
      <DialogFooter>
        <Button kind="primary" autoFocus onClick={() => close()}>
          {t('drive.close')}
        </Button>
      </DialogFooter>
    </>
  )
}
