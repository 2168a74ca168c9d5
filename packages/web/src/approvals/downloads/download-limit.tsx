// cloudoc-download-limit ([R084], [R284], mock-n-download-limit): how many of the daily downloads are used, what
// counts, when the count resets, and a request for more.
import { formatSize, fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { toast } from '../../core/toast/toast.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { ArrowDownload24Regular, CheckmarkCircle24Regular } from '../../kit/icons.ts'
import { navigateTo, refetchRequests } from '../review/review-queries.ts'
import { CountChoice, usualCount } from './count-choice.tsx'
import { termsQuery } from './download-request-queries.ts'
import '../../kit/fields.css'
import './download-limit.css'

export interface DownloadLimitProps {
  readonly count: number
  readonly limit: number
  readonly until: number
  /** The refused download, if the window replaces one. */
  readonly name?: string
  readonly items?: number
  /** In bytes; 0 if unknown. */
  readonly size?: number
}

const mostComments = 300

export function DownloadLimit(props: WindowProps<DownloadLimitProps>): ReactNode {
  const { count, limit, until, name, items = 1, size = 0, close, setDirty } = props
  const t = useT()
  const { data: terms } = useQuery(termsQuery)
  const [more, setMore] = useState(usualCount)
  const [comments, setComments] = useState('')
  const [made, setMade] = useState(false)
  const [busy, setBusy] = useState(false)
  const names = (terms?.reviewers ?? []).map(({ accountName }) => isolated(accountName)).join(t('approvals.or'))
  const isAsked = made || typeof terms?.pendingId === 'number'
  const time = fullTime(until).slice(0, 16)
  const send = async (): Promise<void> => {
    setBusy(true)
    try {
      await api.moreDownloadsApply({ count: more, comments: comments.trim() })
      setMade(true)
      setDirty(false)
    } catch (failure) {
      toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('drive.failed') })
    } finally {
      refetchRequests()
      setBusy(false)
    }
  }
  return (
    <>
      <DialogBody>
        <div className="ap-limit">
          <ArrowDownload24Regular />
          <div>
            <p>
              <b>{t('approvals.downloads.of', { n: count, limit })}</b>
              <small>{t('approvals.downloads.anew', { time })}</small>
            </p>
            <div
              role="meter"
              aria-label={t('approvals.downloads.today')}
              aria-valuemin={0}
              aria-valuemax={limit}
              aria-valuenow={Math.min(count, limit)}
            >
              <i style={{ width: `${Math.min(100, (count * 100) / Math.max(1, limit))}%` }} />
            </div>
            <small>{t('approvals.downloads.counts')}</small>
          </div>
        </div>
        {name !== undefined && (
          <dl className="ap-limit-what">
            <dt>{t('approvals.downloads.what')}</dt>
            <dd>
              {items > 1
                ? t('approvals.downloads.whatMany', { name: isolated(name), n: items })
                : t('approvals.downloads.whatOne', { name: isolated(name) })}
              {size > 0 && ` · ${formatSize(size)}`}
            </dd>
          </dl>
        )}
        {isAsked ? (
          <div className="ap-limit-ask" role="status">
            <CheckmarkCircle24Regular />
            <div>
              <b>{t('approvals.apply.sent')}</b>
              <small>{t('approvals.apply.sentMore', { names })}</small>
            </div>
          </div>
        ) : terms?.reviewers.length === 0 ? (
          <p className="ap-limit-none">{t('approvals.downloads.nobody')}</p>
        ) : (
          <div className="ap-limit-ask">
            <div>
              <b>{t('approvals.downloads.more')}</b>
              <div>
                <CountChoice label={t('approvals.downloads.count')} value={more} onChange={setMore} />
                <small>{terms !== undefined && t('approvals.downloads.by', { names, time })}</small>
              </div>
              <div className="k-input">
                <input
                  aria-label={t('approvals.apply.why')}
                  placeholder={t('approvals.downloads.why')}
                  maxLength={mostComments}
                  value={comments}
                  onChange={({ target }) => {
                    setComments(target.value)
                    setDirty(target.value !== '')
                  }}
                />
                <small>
                  {comments.length} / {mostComments}
                </small>
              </div>
            </div>
          </div>
        )}
      </DialogBody>
      <DialogFooter>
        <span className="ap-left">
          <Button
            kind="ghost"
            onClick={() => {
              close()
              navigateTo(isAsked ? '/doc/folder/share/download-application' : '/doc/folder/recently/history')
            }}
          >
            {t(isAsked ? 'approvals.downloads.mine' : 'approvals.downloads.history')}
          </Button>
        </span>
        {isAsked || terms?.reviewers.length === 0 ? (
          <Button kind="primary" onClick={() => close()}>
            {t('drive.close')}
          </Button>
        ) : (
          <>
            <Button onClick={() => close()}>{t('drive.cancel')}</Button>
            <Button kind="primary" disabled={busy || terms === undefined} onClick={() => void send()}>
              {t('approvals.apply.send')}
            </Button>
          </>
        )}
      </DialogFooter>
    </>
  )
}
