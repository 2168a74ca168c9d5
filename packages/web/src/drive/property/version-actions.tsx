// The actions on the shown version: restore, compare, describe, name, save as a file ([R188]).
import type { ItemRecord } from '@cloudoc/contract'
import { type ReactNode, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import { useActionContext } from '../../items/actions/use-action-context.ts'
import { Button } from '../../kit/button.tsx'
import { InlineTextField } from './inline-text-field.tsx'
import {
  describeVersion,
  restoreVersion,
  saveVersionAs,
  type Version,
  versionPermissions,
} from './version-operations.ts'
import './property.css'

interface VersionActionsProps {
  readonly item: ItemRecord
  readonly version: Version
  /** The previous version, if there is one. */
  readonly before: number | undefined
  readonly onRestored: () => void
}

export function VersionActions({ item, version, before, onRestored }: VersionActionsProps): ReactNode {
  const t = useT()
  const may = versionPermissions(item, useActionContext())
  const [editing, setEditing] = useState<'comment' | 'versionName'>()
  const { version: n, isLatest, comment, versionName } = version
  const compare = (other: number): void =>
    void openWindow('cloudoc-property', { item, tab: 'version', pair: [Math.min(n, other), Math.max(n, other)] })
  if (editing !== undefined) {
    const isComment = editing === 'comment'
    return (
      <InlineTextField
        label={t(isComment ? 'property.comment' : 'property.name')}
        value={isComment ? comment : versionName}
        most={isComment ? 500 : 60}
        onEnd={(value) => {
          setEditing(undefined)
          if (value === undefined) return
          void describeVersion(item, n, isComment ? { comment: value } : { versionName: value })
        }}
      />
    )
  }
  const buttons = [
    {
      id: 'restore',
      show: may.change && !isLatest,
      text: t('property.restore'),
      run: () => void restoreVersion(item, n).then((done) => done && onRestored()),
    },
    {
      id: 'latest',
      show: may.compare && !isLatest,
      text: t('property.compareLatest'),
      run: () => compare(item.version),
    },
    {
      id: 'before',
      show: may.compare && before !== undefined,
      text: t('property.compareBefore'),
      run: () => compare(before ?? n),
    },
    { id: 'comment', show: may.describe, text: t('property.comment'), run: () => setEditing('comment') },
    {
      id: 'name',
      show: may.describe,
      text: t(versionName === '' ? 'property.name' : 'property.rename'),
      run: () => setEditing('versionName'),
    },
    { id: 'saveAs', show: may.copy, text: t('property.saveAs'), run: () => void saveVersionAs(item, n) },
  ]
  return (
    <div className="pv-version-actions" role="group" aria-label={t('drive.info.version', { n })}>
      {buttons.map(
        ({ id, show, text, run }) =>
          show && (
            <Button key={id} size="small" onClick={run}>
              {text}
            </Button>
          ),
      )}
    </div>
  )
}
