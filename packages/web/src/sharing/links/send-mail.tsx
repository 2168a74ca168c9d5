// cloudoc-link-sendMail ([R292]): sends a link by the company's mail server.
import type { ExternalLink } from '@cloudoc/contract'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { t as said, useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox, TextField } from '../../kit/fields.tsx'
import { addressesIn, isMailAddress, tryLinkChange } from './link-queries.ts'
import './links.css'
import './link-texts.ts'

export interface SendLinkMailProps {
  readonly link: Pick<ExternalLink, 'externalId' | 'fName' | 'hasPassword' | 'mails'>
}

const mostComments = 1000

export function SendLinkMail({ link, close, setDirty }: WindowProps<SendLinkMailProps>): ReactNode {
  const t = useT()
  const [to, setTo] = useState(() => link.mails.join(', '))
  const [comments, setComments] = useState('')
  const [withPassword, setWithPassword] = useState(false)
  const [busy, setBusy] = useState(false)
  const toArray = addressesIn(to)
  const isRight = toArray.length > 0 && toArray.every((one) => isMailAddress.test(one))
  const send = async (): Promise<void> => {
    setBusy(true)
    const { externalId } = link
    const sent = await tryLinkChange(
      () => api.sendExternalMail({ externalId, toArray, comments, withPassword }),
      said('links.mail.sent'),
    )
    setBusy(false)
    if (!sent) return
    setDirty(false)
    close()
  }
  return (
    <>
      <DialogBody>
        <div className="sl-mail">
          <TextField
            label={t('links.mail.to')}
            value={to}
            autoFocus
            placeholder="wang@example.com"
            problem={to !== '' && !isRight ? t('links.mail.wrong') : undefined}
            help={t('links.mail.toMore')}
            onChange={({ target }) => {
              setTo(target.value)
              setDirty(true)
            }}
          />
          <label htmlFor="sl-comments">{t('links.mail.comments')}</label>
          <textarea
            id="sl-comments"
            rows={4}
            maxLength={mostComments}
            value={comments}
            onChange={({ target }) => setComments(target.value)}
          />
          {link.hasPassword && (
            <Checkbox
              label={t('links.mail.withPassword')}
              checked={withPassword}
              onChange={({ target }) => setWithPassword(target.checked)}
            />
          )}
        </div>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button kind="primary" disabled={!isRight || busy} onClick={() => void send()}>
          {t('links.mail.send')}
        </Button>
      </DialogFooter>
    </>
  )
}
