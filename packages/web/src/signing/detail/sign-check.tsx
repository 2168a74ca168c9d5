// Checks the signatures of a file: valid, by whom, unchanged since, trusted by whom.
import type { SignatureCheck } from '@cloudoc/contract'
import { fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, mainServer } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import './check-texts.ts'
import './detail.css'

export type SignCheckProps = { readonly fileId: number } | { readonly activityId: number }

export function SignCheck(props: WindowProps<SignCheckProps>): ReactNode {
  const t = useT()
  const of = 'fileId' in props ? { fileId: props.fileId } : { activityId: props.activityId }
  const { data, error } = useQuery({
    queryKey: ['signing', 'check', of],
    queryFn: () =>
      'fileId' in of
        ? api.of(mainServer).checkFileSign({ fileId: of.fileId }, { quiet: true })
        : api.checkSign({ activityId: of.activityId }, { quiet: true }),
    staleTime: 0,
  })
  return (
    <>
      <DialogBody>
        {error !== null ? (
          <StatePage title={t('sign.notLoaded')} text={error.message} />
        ) : data === undefined ? (
          <Spinner label={t('sign.loading')} />
        ) : data.list.length === 0 ? (
          <StatePage title={t('sign.check.none')} />
        ) : (
          <>
            {data.list.some(({ problem }) => problem !== 'algorithm') && (
              <p className="sg-check-file">
                <StatusChip tone={data.isChangedSince ? 'danger' : 'success'}>
                  {t(data.isChangedSince ? 'sign.check.since' : 'sign.check.whole')}
                </StatusChip>
              </p>
            )}
            <ol className="sg-checks">
              {data.list.map((one, n) => (
                <Checked key={n} one={one} />
              ))}
            </ol>
          </>
        )}
      </DialogBody>
      <DialogFooter>
        <Button kind="primary" onClick={() => props.close()}>
          {t('sign.close')}
        </Button>
      </DialogFooter>
    </>
  )
}

function Checked({ one }: { readonly one: SignatureCheck }): ReactNode {
  const t = useT()
  const [tone, word] = !one.isIntact
    ? one.problem === 'algorithm'
      ? (['warning', 'sign.check.unknown'] as const)
      : (['danger', 'sign.check.changed'] as const)
    : one.isRevoked
      ? (['danger', 'sign.check.revoked'] as const)
      : !one.isComplete
        ? (['danger', 'sign.check.earlier'] as const)
        : one.isTrusted
          ? (['success', 'sign.check.valid'] as const)
          : (['warning', 'sign.check.untrusted'] as const)
  return (
    <li>
      <b>{one.subject}</b>
      <StatusChip tone={tone}>{t(word)}</StatusChip>
      <small>
        {one.issuer !== '' && t('sign.check.by', { issuer: isolated(one.issuer) })}
        {one.time !== null && ` ${fullTime(one.time)}`}
      </small>
      <small>
        {one.stamp === null
          ? t('sign.check.noStamp')
          : t('sign.check.stamp', { name: isolated(one.stamp.authority), time: fullTime(one.stamp.time) })}
      </small>
      {one.isIntact && (
        <small>
          {one.trustedBy === ''
            ? t('sign.check.unknownRoot')
            : t('sign.check.trustedBy', { name: isolated(one.trustedBy) })}
        </small>
      )}
      {one.isIntact && !one.isComplete && <small className="sg-problem">{t('sign.check.earlierHint')}</small>}
      {one.problem !== '' && <small className="sg-problem">{t(`sign.check.problem.${one.problem}`)}</small>}
    </li>
  )
}
