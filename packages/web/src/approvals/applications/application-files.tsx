// The items of an application before it is sent.
import { formatSize } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { IconButton } from '../../kit/button.tsx'
import { Dismiss16Regular } from '../../kit/icons.ts'
import type { WantedItem } from './application-queries.ts'

interface ApplicationFilesProps {
  readonly items: readonly WantedItem[]
  /** How many one application may have; unknown while it is loading. */
  readonly most: number | undefined
  /** Items for which an application is open. */
  readonly open: readonly number[]
  readonly onRemove: ((item: WantedItem) => void) | undefined
}

export function ApplicationFiles({ items, most, open, onRemove }: ApplicationFilesProps): ReactNode {
  const t = useT()
  return (
    <>
      <h3 className="al-head">
        {t('applications.files')}{' '}
        <small>
          {most === undefined ? items.length : `${items.length} / ${most}`} {t('applications.folderIsOne')}
        </small>
      </h3>
      <ul className="al-files" aria-label={t('applications.files')}>
        {items.map((item, at) => {
          const { fType, fId, fName, extName, fileSize, secretLevel, secretName } = item
          const isOpen = open.includes(fId)
          return (
            <li key={`${fType}:${fId}`} data-over={(most !== undefined && at >= most) || undefined}>
              {fType === 2 ? <FolderIcon size={22} /> : <FileIcon ext={extName} size={22} />}
              <span title={fName}>{fName}</span>
              {isOpen && <em>{t('applications.open')}</em>}
              {fType === 1 && <small>{formatSize(fileSize)}</small>}
              {secretLevel > 0 && <SecretMark level={secretLevel} name={secretName} />}
              {onRemove !== undefined && (
                <IconButton
                  size="small"
                  icon={<Dismiss16Regular />}
                  label={t('applications.remove', { name: isolated(fName) })}
                  onClick={() => onRemove(item)}
                />
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}

/** The secret level of an item. */
export function SecretMark({ level, name }: { readonly level: number; readonly name: string }): ReactNode {
  return (
    <small className="al-level" data-level={level}>
      {name}
    </small>
  )
}
