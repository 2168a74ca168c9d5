// cloudoc-sign-detail ([R275]): one signing process with its course. A signer signs, refuses or hands it on; the launcher
// sees who it waits for, and reminds or withdraws.
import type { SignDetail as Detail } from '@cloudoc/contract'
import { minuteTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, mainServer } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { useSession } from '../../core/session/session.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { Alert16Regular, ArrowForward16Regular, Signature16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { act, detailQuery, remindSigners } from '../shared/sign-queries.ts'
import { SignChip } from '../shared/state-chip.tsx'
import { Road } from './road.tsx'
import { Signing } from './signing.tsx'
import './detail.css'

export interface SignDetailProps {
  readonly activityId: number
  /** Shown in the title. */
  readonly name?: string
}

type Props = WindowProps<SignDetailProps, boolean>

export function SignDetail({ activityId, close, setDirty }: Props): ReactNode {
  const t = useT()
  const { data, error } = useQuery(detailQuery(activityId))
  const [view, setView] = useState<'course' | 'file'>('course')
  if (error !== null) return <StatePage title={t('sign.gone')} text={error.message} />
  if (data === undefined) return <Spinner label={t('sign.loading')} />
  if (view === 'file')
    return <Signing detail={data} onBack={() => setView('course')} close={close} setDirty={setDirty} />
  return <Course detail={data} onFile={() => setView('file')} close={close} />
}

interface CourseProps extends Pick<Props, 'close'> {
  readonly detail: Detail
  readonly onFile: () => void
}

function Course({ detail, onFile, close }: CourseProps): ReactNode {
  const t = useT()
  const me = useSession().account.userId
  const [first] = detail.fields
  const names = detail.signers.map(({ userId, accountName }) =>
    userId === me ? t('sign.detail.you') : isolated(accountName),
  )
  return (
    <>
      <div className="sg-detail">
        <header>
          <h2>{detail.activityTitle}</h2>
          <SignChip activity={detail} />
        </header>
        <p className="sg-muted">{t('sign.detail.pages', { name: isolated(detail.fileName), n: detail.pages })}</p>
        <dl>
          {detail.comment !== '' && (
            <>
              <dt>{t('sign.detail.comment')}</dt>
              <dd>{detail.comment}</dd>
            </>
          )}
          <dt>{t('sign.detail.order')}</dt>
          <dd>
            {t('sign.detail.orderOf', {
              order: t(detail.order ? 'sign.order.yes' : 'sign.order.no'),
              names: names.join(t('sign.comma')),
            })}
          </dd>
          {detail.deadline !== null && (
            <>
              <dt>{t('sign.detail.deadline')}</dt>
              <dd>{minuteTime(detail.deadline)}</dd>
            </>
          )}
        </dl>
        {detail.signsFor !== '' && (
          <p className="sg-hint">{t('sign.detail.for', { name: isolated(detail.signsFor) })}</p>
        )}
        {first !== undefined && (
          <p className="sg-hint">{t('sign.detail.fields', { n: detail.fields.length, page: first.page })}</p>
        )}
        {detail.lockedBy !== null && detail.lockedBy.userId !== me && (
          <p className="sg-hint">{t('sign.lockedBy', { name: isolated(detail.lockedBy.accountName) })}</p>
        )}
        <Road detail={detail} me={me} />
      </div>
      <CourseFooter detail={detail} onFile={onFile} close={close} />
    </>
  )
}

function CourseFooter({ detail, onFile, close }: CourseProps): ReactNode {
  const t = useT()
  const { activityId, may, remindsLeft } = detail
  const [busy, setBusy] = useState(false)
  const run = async (work: () => Promise<unknown>, done: string): Promise<boolean> => {
    setBusy(true)
    const succeeded = await act(work, done)
    setBusy(false)
    return succeeded
  }
  const handOn = async (): Promise<void> => {
    const title = t('sign.act.handOn')
    const [to] =
      (await openWindow('people-pick', { title, ok: title, picked: [], secretLevel: detail.secretLevel })) ?? []
    if (to === undefined) return
    const done = t('sign.done.handedOn', { name: isolated(to.accountName) })
    if (await run(() => api.handOnSign({ activityId, userId: to.userId }, { quiet: true }), done)) close(true)
  }
  const withdraw = async (): Promise<void> => {
    const title = t('sign.act.withdraw')
    if (!(await confirmBox({ title, text: t('sign.act.withdraw.sure'), ok: title, danger: true }))) return
    await run(() => api.withdrawSign({ activityId }, { quiet: true }), t('sign.done.withdrawn'))
  }
  const archive = async (): Promise<void> => {
    const folder = await openWindow('drive-folder-pick', {
      ...{ title: t('sign.field.folder'), hint: t('sign.field.folder.hint'), verb: 'copy' },
    })
    if (folder === undefined) return
    await run(
      () => api.of(mainServer).archiveSign({ activityId, archiveFolderId: folder.fId }, { quiet: true }),
      t('sign.done.archiving'),
    )
  }
  const reject = async (): Promise<void> => {
    if ((await openWindow('sign-reject', { activityId })) === true) close(true)
  }
  const remind = async (): Promise<void> => {
    setBusy(true)
    await remindSigners(detail)
    setBusy(false)
  }
  return (
    <DialogFooter>
      <span className="sg-left">
        {may.sign && (
          <Button kind="danger" disabled={busy} onClick={() => void reject()}>
            {t('sign.act.reject')}
          </Button>
        )}
        {may.withdraw && (
          <Button kind="danger" disabled={busy} onClick={() => void withdraw()}>
            {t('sign.act.withdraw')}
          </Button>
        )}
        {may.handOn && (
          <Button kind="ghost" icon={<ArrowForward16Regular />} disabled={busy} onClick={() => void handOn()}>
            {t('sign.act.handOn')}
          </Button>
        )}
      </span>
      {may.archive && (
        <Button kind="primary" disabled={busy} onClick={() => void archive()}>
          {t('sign.act.archive')}
        </Button>
      )}
      {/* Long after the end only the archived file is there. */}
      {detail.revision > 0 && (detail.size > 0 || detail.archivedFileId > 0) && (
        <Button
          onClick={() =>
            void openWindow('sign-check', detail.size > 0 ? { activityId } : { fileId: detail.archivedFileId })
          }
        >
          {t('sign.act.check')}
        </Button>
      )}
      {detail.archivedFileId > 0 && (
        <Button
          onClick={() => void openWindow('previewer', { fileInfo: { ...mainServer, fId: detail.archivedFileId } })}
        >
          {t('sign.act.open')}
        </Button>
      )}
      {may.withdraw && (
        <Button
          icon={<Alert16Regular />}
          disabled={busy || remindsLeft === 0}
          title={remindsLeft === 0 ? t('sign.act.remind.later') : undefined}
          onClick={() => void remind()}
        >
          {t('sign.act.remind')}
        </Button>
      )}
      <Button {...(may.sign && { kind: 'primary' as const })} icon={<Signature16Regular />} onClick={onFile}>
        {t(may.sign ? 'sign.act.sign' : 'sign.act.look')}
      </Button>
    </DialogFooter>
  )
}
