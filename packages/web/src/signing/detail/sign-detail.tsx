// cloudoc-sign-detail ([R275]): one signing process with its course. A signer signs, refuses or hands it on; the launcher
// sees who it waits for, and reminds or withdraws.
import type { SignDetail as Detail } from '@cloudoc/contract'
import { minuteTime } from '@cloudoc/domain'
import { Alert16Regular, ArrowForward16Regular, Signature16Regular } from '@fluentui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Step } from '../../approvals/index.ts'
import { api, mainServer } from '../../core/call/api.ts'
import { t, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { useSession } from '../../core/session/session.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { act, detailQuery } from '../shared/sign-queries.ts'
import { SignChip } from '../shared/state-chip.tsx'
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

/** The launcher corrects who signs without an account. */
async function correct({ activityId, signers }: Detail, signer: Detail['signers'][number]): Promise<void> {
  const { signerId, accountName: name, mail, phone } = signer
  const taken = signers.flatMap((one) => (one.isOutside && one.signerId !== signerId ? one.mail : []))
  const outside = await openWindow('sign-outside', { person: { name, mail, phone }, taken })
  if (outside === undefined) return
  await act(
    () => api.changeExternalSigner({ activityId, signerId, outside }, { quiet: true }),
    t('sign.outside.changed'),
  )
}

function Road({ detail, me }: { readonly detail: Detail; readonly me: number }): ReactNode {
  const t = useT()
  const nameOf = (userId: number, name: string): string => (userId === me ? t('sign.detail.you') : isolated(name))
  const ended = detail.timeline.find(({ what }) => what === 'withdrawn' || what === 'expired')
  const isOver = ended !== undefined || detail.state === 'rejected'
  return (
    <ol className="ap-steps sg-road">
      <Step look="done" title={t('sign.line.launched', { name: nameOf(detail.launchId, detail.launcherName) })}>
        <small>{minuteTime(detail.createTime)}</small>
      </Step>
      {detail.signers.map((signer) => {
        const name = nameOf(signer.userId, signer.accountName)
        const time = signer.time === null ? undefined : <small>{minuteTime(signer.time)}</small>
        const words = signer.comments === '' ? undefined : <q>{signer.comments}</q>
        const low = signer.isTooLow && !isOver && signer.state !== 'signed' && (
          <small className="sg-problem">{t('sign.line.tooLow')}</small>
        )
        if (signer.state === 'signed' || signer.state === 'rejected')
          return (
            <Step
              key={signer.signerId}
              look={signer.state === 'signed' ? 'done' : 'no'}
              title={
                signer.actedBy === null
                  ? t(`sign.line.${signer.state}`, { name })
                  : t(`sign.line.${signer.state}For`, {
                      name: nameOf(signer.actedBy.userId, signer.actedBy.accountName),
                      whom: isolated(signer.accountName),
                    })
              }
            >
              {time}
              {words}
            </Step>
          )
        if (signer.state === 'left')
          return <Step key={signer.signerId} look="next" title={t('sign.line.left', { name })} />
        return (
          <Step
            key={signer.signerId}
            look={signer.state === 'now' ? 'now' : 'next'}
            title={
              signer.state === 'next'
                ? name
                : signer.userId === me
                  ? t('sign.line.nowYou')
                  : t('sign.line.now', { name })
            }
          >
            {signer.isRole && <small>{t('sign.role.any')}</small>}
            {signer.standIn !== null && (
              <small>{t('sign.line.standIn', { name: isolated(signer.standIn.accountName) })}</small>
            )}
            {signer.isOutside && signer.mail !== '' && <small>{signer.mail}</small>}
            {signer.isOutside && detail.may.withdraw && (
              <Button kind="link" onClick={() => void correct(detail, signer)}>
                {t('sign.outside.change')}
              </Button>
            )}
            {signer.state === 'now' && detail.deadline !== null && <small>{minuteTime(detail.deadline)}</small>}
            {low}
          </Step>
        )
      })}
      {ended !== undefined ? (
        <Step
          look="no"
          title={
            ended.what === 'expired'
              ? t('sign.line.expired')
              : t('sign.line.withdrawn', { name: nameOf(ended.by?.userId ?? 0, ended.by?.accountName ?? '') })
          }
        >
          <small>{minuteTime(ended.at)}</small>
          {ended.comments !== '' && <q>{ended.comments}</q>}
        </Step>
      ) : (
        <Step
          look={detail.state === 'archived' ? 'done' : detail.state === 'signed' ? 'now' : 'next'}
          title={t(detail.state === 'archived' ? 'sign.line.archived' : 'sign.line.archive')}
        >
          {detail.archiveProblem === null ? (
            <small>{detail.archiveFolderName}</small>
          ) : (
            <small className="sg-problem">{t('sign.line.notArchived')}</small>
          )}
        </Step>
      )}
    </ol>
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
    const count = detail.waiting.length
    await run(() => api.remindSign({ activityId }, { quiet: true }), t('sign.done.reminded', { n: count }))
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
