// Lists the files that are too large, before the others are uploaded ([R204]).
import { extNameOf, formatSize } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { nameParts } from '../../items/item/item.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'

export interface OversizeProps {
  /** The size limit of a file, as text. */
  readonly limit: string
  readonly files: readonly { readonly name: string; readonly size: number }[]
  /** The number of files that can be uploaded. */
  readonly others: number
}

/** The maximum number of listed names. */
const listed = 100

/** Returns true if the other files are to be uploaded. */
export function Oversize({ limit, files, others, close }: WindowProps<OversizeProps, boolean>): ReactNode {
  const t = useT()
  return (
    <>
      <DialogBody>
        <p>{t('drive.oversize.text', { n: files.length, limit })}</p>
        <ul className="dr-oversize" tabIndex={0} aria-label={t('drive.transfer.detail.list')}>
          {files.slice(0, listed).map(({ name, size }, n) => (
            <li key={`${n}/${name}`}>
              <FileIcon ext={extNameOf(name)} />
              <span className="dr-mid" title={name}>
                <span>{nameParts(name, false).head}</span>
                <span>{nameParts(name, false).tail}</span>
              </span>
              <small>{formatSize(size)}</small>
            </li>
          ))}
        </ul>
        {files.length > listed && <p>{t('drive.andMore', { n: files.length - listed })}</p>}
        {others === 0 && <p>{t('drive.oversize.none')}</p>}
      </DialogBody>
      <DialogFooter>
        {others === 0 ? (
          <Button kind="primary" autoFocus onClick={() => close(false)}>
            {t('drive.ok')}
          </Button>
        ) : (
          <>
            <Button onClick={() => close(false)}>{t('drive.cancel')}</Button>
            <Button kind="primary" autoFocus onClick={() => close(true)}>
              {t('drive.oversize.others', { n: others })}
            </Button>
          </>
        )}
      </DialogFooter>
    </>
  )
}
