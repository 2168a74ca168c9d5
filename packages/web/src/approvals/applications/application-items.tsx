// The items of an application: to look at, to approve one by one, to download.
import type { ApplicationItem, OperationApplicationDetail } from '@cloudoc/contract'
import { ApplyType, extNameOf, formatSize } from '@cloudoc/domain'
import type { KeyboardEvent, ReactNode } from 'react'
import { mainServer } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { useSession } from '../../core/session/session.ts'
import { openWindow } from '../../core/windows/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { IconButton } from '../../kit/button.tsx'
import { ArrowDownload16Regular, Eye16Regular } from '../../kit/icons.ts'
import { download, downloadVersion } from '../../transfer/tasks/download.ts'
import { SecretMark } from './application-files.tsx'
import { lookAtReviewed } from './look-at-reviewed.ts'

interface ApplicationItemsProps {
  readonly detail: OperationApplicationDetail
  /** The items that the reviewer does not approve. */
  readonly rejected: ReadonlySet<number>
  /** Chooses the items to approve; undefined if the user does not decide. */
  readonly onChange: ((rejected: ReadonlySet<number>) => void) | undefined
}

export function ApplicationItems({ detail, rejected, onChange }: ApplicationItemsProps): ReactNode {
  const t = useT()
  const me = useSession().account.userId
  const { items } = detail
  const isMine = detail.userId === me
  const mayDownload = detail.operateType === ApplyType.download && detail.state === 'approved' && isMine
  const toggle = (id: number): void => {
    const next = new Set(rejected)
    if (!next.delete(id)) next.add(id)
    onChange?.(next)
  }
  return (
    <>
      <ul className="al-files" aria-label={t('applications.files')}>
        {items.map((item) => (
          <Item
            key={item.itemId}
            item={item}
            detail={detail}
            isChosen={!rejected.has(item.itemId)}
            onToggle={onChange && (() => toggle(item.itemId))}
            isMine={isMine}
            mayDownload={mayDownload}
          />
        ))}
      </ul>
      {onChange !== undefined && items.length > 1 && (
        <p className="al-chosen">
          {t('applications.chosen', { n: items.length - rejected.size, m: items.length })}
          <button
            type="button"
            className="k-button is-link"
            onClick={() => onChange(new Set(rejected.size > 0 ? [] : items.map(({ itemId }) => itemId)))}
          >
            {t(rejected.size > 0 ? 'applications.chooseAll' : 'applications.chooseNone')}
          </button>
        </p>
      )}
    </>
  )
}

interface ItemProps {
  readonly item: ApplicationItem
  readonly detail: OperationApplicationDetail
  readonly isChosen: boolean
  readonly onToggle: (() => void) | undefined
  readonly isMine: boolean
  readonly mayDownload: boolean
}

function Item({ item, detail, isChosen, onToggle, isMine, mayDownload }: ItemProps): ReactNode {
  const t = useT()
  const { itemId, fId, fType, fName, fileSize, fileCount, secretLevel, secretName, result, used, version } = item
  const isDownload = detail.operateType === ApplyType.download
  const look = (): void => lookAtReviewed(item, detail.reviewId)
  // What a link hands out changes until it is approved: only its maker and whoever decides are shown it.
  const hasContent = fType === 2 && (isDownload || isMine || detail.may.decide)
  const take = (): void => {
    const wanted = { ...mainServer, fType, fId, fName, fileSize }
    const started = fType === 1 && detail.hasVersionLimit ? downloadVersion(wanted, version) : download([wanted])
    started.catch(notifyFailure)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() !== 'v' || event.ctrlKey || event.altKey || event.metaKey || !item.mayPreview) return
    event.preventDefault()
    look()
  }
  const name = (
    <>
      {fType === 2 ? <FolderIcon size={22} /> : <FileIcon ext={extNameOf(fName)} size={22} />}
      <span title={fName}>{fName}</span>
    </>
  )
  return (
    <li data-result={result}>
      {onToggle === undefined ? (
        name
      ) : (
        <label>
          <input type="checkbox" checked={isChosen} onChange={onToggle} onKeyDown={onKeyDown} />
          {name}
        </label>
      )}
      {hasContent && (
        <button
          type="button"
          className="k-button is-link"
          onClick={() =>
            void openWindow('cloudoc-apply-folder-detail', {
              applicationId: detail.applicationId,
              folderId: itemId,
              name: fName,
              isLink: !isDownload,
            })
          }
        >
          {t('applications.content')}
        </button>
      )}
      {detail.state !== 'pending' && result === 'rejected' && <em>{t('applications.result.rejected')}</em>}
      {mayDownload && result === 'approved' && fType === 1 && (
        <small>
          {detail.count === 0
            ? t('applications.usedAny', { n: used })
            : t('applications.used', { n: used, m: detail.count })}
        </small>
      )}
      {fType === 2 && isDownload && <small>{t('applications.contains', { n: fileCount })}</small>}
      <small className="al-size">{formatSize(fileSize)}</small>
      {secretLevel > 0 && <SecretMark level={secretLevel} name={secretName} />}
      {item.mayPreview && (
        <IconButton
          size="small"
          icon={<Eye16Regular />}
          label={t('applications.preview', { name: isolated(fName) })}
          hint="V"
          onClick={look}
        />
      )}
      {mayDownload && result === 'approved' && fId !== 0 && (
        <IconButton
          size="small"
          icon={<ArrowDownload16Regular />}
          label={`${t('applications.download')} ${fName}`}
          disabled={fType === 1 && detail.count > 0 && used >= detail.count}
          onClick={take}
        />
      )}
    </li>
  )
}
