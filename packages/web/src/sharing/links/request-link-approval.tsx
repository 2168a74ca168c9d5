// cloudoc-apply-link ([R231]): requests approval for a link that needs it.
import type { ExternalLink } from '@cloudoc/contract'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { linkRightsLabel, minute, tryLinkChange } from './link-queries.ts'
import './links.css'
import './link-texts.ts'

export interface RequestLinkApprovalProps {
  readonly link: Pick<ExternalLink, 'externalId' | 'fName' | 'rights' | 'endTime'>
}

const mostComments = 1000

export function RequestLinkApproval({
  link,
  close,
  setDirty,
}: WindowProps<RequestLinkApprovalProps, boolean>): ReactNode {
  const t = useT()
  const [comments, setComments] = useState('')
  const [busy, setBusy] = useState(false)
  const { externalId } = link
  const send = async (): Promise<void> => {
    setBusy(true)
    const isSent = await tryLinkChange(() => api.linkApply({ externalId, comments }), t('links.ask.done'))
    setBusy(false)
    if (!isSent) return
    setDirty(false)
    close(true)
  }
  return (
    <>
      <DialogBody>
        <p>{t('links.ask.what', { may: linkRightsLabel(t, link.rights), time: minute(link.endTime) })}</p>
        <div className="sl-note is-under">
          <textarea
            aria-label={t('links.approval.why')}
            placeholder={t('links.approval.why')}
            rows={4}
            maxLength={mostComments}
            value={comments}
            onChange={({ target }) => {
              setComments(target.value)
              setDirty(true)
            }}
          />
          <small>
            {comments.length} / {mostComments}
          </small>
        </div>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button kind="primary" disabled={busy} onClick={() => void send()}>
          {t('links.ask.send')}
        </Button>
      </DialogFooter>
    </>
  )
}
