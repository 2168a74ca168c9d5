// One notice: user, action, location and time. A click opens its target and marks it as read ([R089]).

import { fullTime, shortTime } from '@cloudoc/domain'
import { memo, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { noticeView } from '../core/area/area.ts'
import { useLocale, useT } from '../core/i18n/i18n.ts'
import { ignore, type StoredNotice } from '../core/notices/notice-centre.ts'
import { pushOf } from '../core/notices/notice-groups.ts'
import { IconButton } from '../kit/button.tsx'
import { Alert20Regular, Dismiss16Regular, FolderOpen16Regular } from '../kit/icons.ts'
import { noticePath, noticeWords } from './notice-words.ts'

interface NoticeEntryProps {
  readonly notice: StoredNotice
  /** It arrived since the centre was last opened. */
  readonly isNew?: boolean
  /** Called when a click opens the target. */
  readonly onLeave?: () => void
}

export const NoticeEntry = memo(function Entry({ notice, isNew = false, onLeave }: NoticeEntryProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const navigate = useNavigate()
  const { remindId, data, time, read } = notice
  const view = noticeView(pushOf(notice))
  const { actor: who, sentence, detail } = noticeWords(notice)
  const folder = view?.folder?.(data)
  const when = shortTime(time, Date.now(), locale)

  const settle = (): void => {
    if (!read) void ignore({ remindIds: [remindId] })
  }
  const go = (path: string | undefined): void => {
    settle()
    if (path === undefined) return
    onLeave?.()
    void navigate(path)
  }
  return (
    <li className={`nt-entry${isNew ? ' is-new' : ''}${read ? ' is-read' : ''}`} data-remind={remindId}>
      <span className="nt-icon" aria-hidden="true">
        {view?.icon(data) ?? <Alert20Regular />}
      </span>
      <button type="button" className="nt-text" onClick={() => go(noticePath(notice))}>
        <span className="nt-title">
          {isNew && <span className="nt-hidden">{t('notify.isNew')}</span>}
          {who !== '' && <b>{who} </b>}
          {sentence}
        </span>
        <span className="nt-more" title={fullTime(time)}>
          {detail === '' ? when : `${detail} · ${when}`}
        </span>
      </button>
      <span className="nt-acts">
        {folder !== undefined && (
          <IconButton
            size="small"
            label={t('notify.openFolder')}
            icon={<FolderOpen16Regular />}
            onClick={() => go(folder)}
          />
        )}
        {!read && <IconButton size="small" label={t('notify.ignore')} icon={<Dismiss16Regular />} onClick={settle} />}
      </span>
    </li>
  )
})
