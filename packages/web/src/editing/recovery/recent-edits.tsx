// cloudoc-recent-edit ([R186], [R356]): the files edited in this browser, and the status of their drafts relative to
// the server.
import { CopyStatus, copyStatus, EditState, limits, shortTime } from '@cloudoc/domain'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, CallError, mainServer } from '../../core/call/api.ts'
import { t as say, useLocale, useT } from '../../core/i18n/i18n.ts'
import { sessionStore } from '../../core/session/session.ts'
import { accountRecords, type EditRecord } from '../../core/storage/account-records.ts'
import { draftsOf } from '../../core/storage/drafts.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { ItemLine } from '../../items/item/item-line.tsx'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { askConflict } from '../conflict/ask-conflict.ts'
import { openToEdit } from '../opening/open-to-edit.ts'
import { acquireLock, fetchContent, releaseLock, submit } from '../shared/edit-transfers.ts'
import { claimFile } from '../shared/open-editors.ts'
import { saveCopy } from '../shared/save-copy.ts'
import { LocalEdits } from './local-edits.tsx'
import { discardPending, type PendingEditPorts, submitPending } from './pending-edits.ts'
import '../shared/edit-dialogs.css'

/** The number of entries per page; each entry requests its version from the server. */
const shownAtOnce = 30
const queryKey = ['drive', 'edits'] as const

const ownId = (): number => sessionStore.getState().session?.account.userId ?? 0

function ports(): PendingEditPorts {
  const accountId = ownId()
  return {
    records: accountRecords(accountId),
    drafts: draftsOf(accountId),
    contentOf: fetchContent,
    lock: acquireLock,
    unlock: releaseLock,
    submit,
    take: (fileId) => claimFile(accountId, fileId),
    async askConflict({ fileId, version }, bytes) {
      const { answer, newest } = await askConflict({ ...mainServer, fId: fileId }, version, bytes)
      if (answer === 'saveAs') saveCopy(newest.fName, bytes)
      return answer === 'overwrite' ? newest.version : undefined
    },
  }
}

export function RecentEdits({ close }: WindowProps<object>): ReactNode {
  const t = useT()
  const [shown, setShown] = useState(shownAtOnce)
  const { data: edits } = useQuery({
    queryKey,
    queryFn: () => accountRecords(ownId()).edits(),
    staleTime: 0,
    // Local data does not need the network.
    networkMode: 'always',
  })
  return (
    <>
      <DialogBody>
        <LocalEdits />
        {edits === undefined && <Spinner />}
        {edits?.length === 0 && (
          <StatePage heading="h3" title={t('editor.recent.nothing')} text={t('editor.recent.nothingMore')} />
        )}
        {edits !== undefined && edits.length > 0 && (
          <>
            <p className="ed-words">{t('editor.recent.lead', { n: limits.editRecords })}</p>
            <ul className="ed-edits" aria-label={t('editor.recent.title')}>
              {edits.slice(0, shown).map((edit) => (
                <Edit key={edit.localPath} edit={edit} leave={close} />
              ))}
            </ul>
            {edits.length > shown && (
              <Button kind="ghost" size="small" onClick={() => setShown(shown + shownAtOnce)}>
                {t('editor.recent.more', { n: edits.length - shown })}
              </Button>
            )}
          </>
        )}
      </DialogBody>
      <DialogFooter>
        <Button kind="primary" autoFocus onClick={() => close()}>
          {t('drive.close')}
        </Button>
      </DialogFooter>
    </>
  )
}

function Edit({ edit, leave }: { readonly edit: EditRecord; readonly leave: () => void }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const queries = useQueryClient()
  const [now] = useState(Date.now)
  const [isBusy, setBusy] = useState(false)
  const { fileId, fileName, folderName, createTime } = edit
  const { data: file, error } = useQuery({
    queryKey: [...queryKey, fileId],
    queryFn: () => api.of(mainServer).getFileInfo({ fileId }, { quiet: true }),
    staleTime: 0,
    retry: false,
  })
  const isGone = error instanceof CallError && error.code === 'notFound'
  const isKept = edit.state === EditState.changed
  const status = file && copyStatus(edit, file.version)
  const after = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    try {
      await work()
    } catch (failure) {
      notifyFailure(failure)
    } finally {
      setBusy(false)
      await queries.invalidateQueries({ queryKey })
    }
  }
  const handIn = (): Promise<void> =>
    after(async () => {
      const outcome = await submitPending(edit, ports())
      if (outcome === 'nothing') toast({ text: say('editor.recent.none') })
      else if (outcome === 'edited') notifyFailure(say('editor.recent.edited'))
      else if (outcome !== 'left')
        toast({ kind: 'success', text: say('editor.recent.submitted', { name: fileName, n: outcome }) })
    })
  const discard = async (): Promise<void> => {
    const text = say('editor.recent.discardAsk', { name: fileName })
    if (await confirmBox({ text, ok: say('editor.recent.discard'), danger: true })) {
      await after(async () => {
        if ((await discardPending(edit, ports())) === 'edited') notifyFailure(say('editor.recent.edited'))
      })
    }
  }
  const words = (): string => {
    if (isGone) return t('editor.recent.gone')
    if (isKept) return t('editor.recent.status.4')
    if (status === undefined) return error === null ? '' : t('editor.recent.unknown')
    if (status === CopyStatus.newerHere) return t('editor.recent.status.5')
    return t(status === CopyStatus.newerOnCloud ? 'editor.recent.status.3' : 'editor.recent.status.2')
  }
  return (
    <ItemLine name={fileName} isFolder={false}>
      <small className={isKept || isGone ? 'ed-edit-state is-warning' : 'ed-edit-state'}>{words()}</small>
      <small className="ed-edit-place" title={folderName}>
        {[folderName, shortTime(createTime, now, locale)].filter((part) => part !== '').join(' · ')}
      </small>
      <span className="ed-edit-do">
        {file !== undefined && (
          <Button
            kind="link"
            size="small"
            aria-label={t('editor.recent.openOf', { name: fileName })}
            onClick={() => {
              leave()
              void openToEdit({ ...mainServer, fId: fileId })
            }}
          >
            {t('editor.recent.open')}
          </Button>
        )}
        {isKept && file !== undefined && (
          <Button
            kind="link"
            size="small"
            disabled={isBusy}
            aria-label={t('editor.recent.submitOf', { name: fileName })}
            onClick={() => void handIn()}
          >
            {t('editor.recent.submit')}
          </Button>
        )}
        {isKept && (
          <Button
            kind="link"
            size="small"
            disabled={isBusy}
            aria-label={t('editor.recent.discardOf', { name: fileName })}
            onClick={() => void discard()}
          >
            {t('editor.recent.discard')}
          </Button>
        )}
      </span>
    </ItemLine>
  )
}
