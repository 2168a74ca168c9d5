// Ends links of any users. Asks once for a reason, which is sent to the creators of the links.
import { codes } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { type OpenLink, refetchLinks } from './link-admin-queries.ts'
import './texts.ts'
import './links.css'

export interface CancelLinksProps {
  readonly links: readonly Pick<OpenLink, 'externalId' | 'fName' | 'creatorName'>[]
}

/** The maximum number of links in one call. */
const most = 200
const longestReason = 300

export function CancelLinks({ links, close }: WindowProps<CancelLinksProps, boolean>): ReactNode {
  const t = useT()
  const [comments, setComments] = useState('')
  const [busy, setBusy] = useState(false)
  const cancel = async (): Promise<void> => {
    setBusy(true)
    try {
      let done = 0
      for (let from = 0; from < links.length; from += most) {
        const externalIdArray = links.slice(from, from + most).map(({ externalId }) => externalId)
        const { list } = await api.cancelLinks({ externalIdArray, comments })
        done += list.filter(({ result }) => result === codes.success.code).length
      }
      toast({ kind: 'success', text: t('company.links.cancelled', { n: done }) })
      close(true)
    } catch (failure) {
      toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('company.failed') })
    } finally {
      refetchLinks()
      setBusy(false)
    }
  }
  return (
    <>
      <DialogBody>
        <p>{t('company.links.cancel.more')}</p>
        <ul className="cl-names">
          {links.map(({ externalId, fName, creatorName }) => (
            <li key={externalId}>
              {fName} <small>{creatorName}</small>
            </li>
          ))}
        </ul>
        <div className="k-input">
          <input
            aria-label={t('company.links.reason')}
            placeholder={t('company.links.reason')}
            maxLength={longestReason}
            value={comments}
            onChange={({ target }) => setComments(target.value)}
          />
        </div>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close(false)}>{t('company.links.keep')}</Button>
        <Button kind="danger" disabled={busy} onClick={() => void cancel()}>
          {t('company.links.cancel.sure', { n: links.length })}
        </Button>
      </DialogFooter>
    </>
  )
}
