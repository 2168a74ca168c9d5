// The last dialog of an upload that was started by the right mouse button. It offers to open the folder ([R204]).
import { formatSize } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { nameInSentence } from '../../items/item/short-name.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { CheckmarkCircle32Regular } from '../../kit/icons.ts'

export interface UploadFinishedProps {
  readonly description: string
  readonly count: number
  readonly totalSize: number
  readonly folder: string
}

/** Returns true if the folder is to be opened. */
export function UploadFinished(props: WindowProps<UploadFinishedProps, boolean>): ReactNode {
  const { description: name, count, totalSize, folder, close } = props
  const t = useT()
  return (
    <>
      <DialogBody>
        <div className="dr-finished">
          <CheckmarkCircle32Regular className="dr-success" />
          <p title={`${name}\n${folder}`}>
            {t('drive.finished.text', { name: nameInSentence(name), folder: nameInSentence(folder) })}
            <small>{t('drive.finished.detail', { n: count, size: formatSize(totalSize) })}</small>
          </p>
        </div>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close(true)}>{t('drive.finished.open')}</Button>
        <Button kind="primary" autoFocus onClick={() => close(false)}>
          {t('drive.ok')}
        </Button>
      </DialogFooter>
    </>
  )
}
