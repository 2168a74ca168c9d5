// Service accounts, and the tokens of everybody: what each may do, when it was used, and its revocation.
import type { Answer, calls } from '@cloudoc/contract'
import { fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { api, CallError } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { copyText } from '../../core/page/copy-text.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { Checkbox, TextField } from '../../kit/fields.tsx'
import { Add16Regular, Copy16Regular } from '../../kit/icons.ts'
import { ListPage } from '../../kit/list-page.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import './texts.ts'
import './programs.css'

type Known = Answer<typeof calls.getPrograms>
type Service = Known['accounts'][number]
type Token = Known['list'][number]
type Scope = Token['scopes'][number]

const programsKey = ['admin', 'programs'] as const
const refetchPrograms = (): Promise<void> => queryClient.invalidateQueries({ queryKey: programsKey })
const scopes = ['read', 'write', 'adminRead', 'provisioning'] as const satisfies readonly Scope[]

export function ProgramsPage(): ReactNode {
  const t = useT()
  const { data, error, refetch } = useQuery({ queryKey: programsKey, queryFn: () => api.getPrograms({}) })
  const [tab, setTab] = useState<'accounts' | 'tokens'>('accounts')
  const [isNew, setNew] = useState(false)
  const [service, setService] = useState<Service>()
  const [made, setMade] = useState<Made>()
  const accountColumns = useAccountColumns(setService)
  return (
    <ListPage
      title={t('org.programs')}
      tools={
        <Button kind="primary" icon={<Add16Regular />} onClick={() => setNew(true)}>
          {t('programs.newAccount')}
        </Button>
      }
      tabs={
        <Tabs
          id="programs"
          label={t('org.programs')}
          tabs={[
            { tab: 'accounts', text: t('programs.tab.accounts'), count: data?.accounts.length },
            { tab: 'tokens', text: t('programs.tab.tokens'), count: data?.list.length },
          ]}
          chosen={tab}
          onChoose={setTab}
        />
      }
      filters={
        <>
          {isNew && <AccountForm onDone={() => setNew(false)} />}
          {service !== undefined && (
            <TokenForm
              key={service.userId}
              service={service}
              onCancel={() => setService(undefined)}
              onMade={(next) => {
                setService(undefined)
                setMade(next)
              }}
            />
          )}
          {made !== undefined && <MadeToken made={made} onDone={() => setMade(undefined)} />}
        </>
      }
    >
      {tab === 'accounts' ? (
        <Table
          label={t('programs.tab.accounts')}
          columns={accountColumns}
          rows={data?.accounts}
          keyOf={({ userId }) => userId}
          failure={error && data === undefined ? <LoadFailure error={error} retry={refetch} /> : null}
          loading={<Spinner />}
          empty={<StatePage title={t('programs.none')} text={t('programs.noneMore')} />}
        />
      ) : (
        <TokenTable list={data?.list} />
      )}
    </ListPage>
  )
}

function useAccountColumns(onNew: (service: Service) => void): readonly Column<Service>[] {
  const t = useT()
  return [
    { id: 'account', head: t('programs.account'), renderCell: ({ account }) => account },
    { id: 'name', head: t('programs.accountName'), renderCell: ({ accountName }) => accountName },
    { id: 'tokens', head: t('programs.count'), align: 'number', renderCell: ({ programs }) => programs },
    {
      id: 'state',
      head: t('programs.state'),
      renderCell: ({ state }) => (
        <StatusChip tone={state === 'normal' ? 'success' : 'neutral'}>
          {t(state === 'normal' ? 'programs.state.normal' : 'programs.state.off')}
        </StatusChip>
      ),
    },
    {
      id: 'new',
      head: t('programs.actions'),
      isHeadHidden: true,
      renderCell: (service) => (
        <Button size="small" onClick={() => onNew(service)}>
          {t('programs.newToken')}
        </Button>
      ),
    },
  ]
}

function TokenTable({ list }: { readonly list: readonly Token[] | undefined }): ReactNode {
  const t = useT()
  const revoke = async ({ programId, name }: Token): Promise<void> => {
    const isSure = await confirmBox({
      text: t('programs.revokeAsk', { name }),
      detail: t('programs.revokeMore'),
      ok: t('programs.revoke'),
      danger: true,
    })
    if (!isSure) return
    await api.revokeProgram({ programId })
    toast({ kind: 'success', text: t('programs.revoked') })
    await refetchPrograms()
  }
  const columns: readonly Column<Token>[] = [
    { id: 'token', head: t('programs.token'), renderCell: ({ name, ending }) => `${name} …${ending}` },
    { id: 'owner', head: t('programs.owner'), renderCell: ({ accountName }) => accountName },
    {
      id: 'scopes',
      head: t('programs.scopes'),
      text: 'wrap',
      renderCell: ({ scopes: given, libraries }) =>
        [...given.map((scope) => t(`programs.scope.${scope}`)), ...libraries.map(({ name }) => name)].join(' · '),
    },
    {
      id: 'used',
      head: t('programs.used'),
      renderCell: ({ usedTime }) => (usedTime === 0 ? t('programs.never') : fullTime(usedTime)),
    },
    {
      id: 'until',
      head: t('programs.until'),
      renderCell: ({ expireTime, ended }) =>
        ended ? <StatusChip>{t('programs.ended')}</StatusChip> : fullTime(expireTime),
    },
    {
      id: 'revoke',
      head: t('programs.actions'),
      isHeadHidden: true,
      renderCell: (token) => (
        <Button size="small" onClick={() => void revoke(token).catch(() => undefined)}>
          {t('programs.revoke')}
        </Button>
      ),
    },
  ]
  return (
    <Table
      label={t('programs.tab.tokens')}
      columns={columns}
      rows={list}
      keyOf={({ programId }) => programId}
      loading={<Spinner />}
      empty={<StatePage title={t('programs.noTokens')} />}
    />
  )
}

function AccountForm({ onDone }: { readonly onDone: () => void }): ReactNode {
  const t = useT()
  const [account, setAccount] = useState('svc-')
  const [accountName, setAccountName] = useState('')
  const [problem, setProblem] = useState<string>()
  const create = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    try {
      await api.createServiceAccount({ account: account.trim(), accountName: accountName.trim() }, { quiet: true })
      await refetchPrograms()
      onDone()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.message)
    }
  }
  return (
    <form className="pg-form" noValidate onSubmit={(event) => void create(event)}>
      <TextField
        label={t('programs.account')}
        value={account}
        maxLength={64}
        autoFocus
        problem={problem}
        onChange={({ target }) => setAccount(target.value)}
      />
      <TextField
        label={t('programs.accountName')}
        value={accountName}
        maxLength={64}
        onChange={({ target }) => setAccountName(target.value)}
      />
      <footer>
        <Button onClick={onDone}>{t('programs.cancel')}</Button>
        <Button kind="primary" type="submit" disabled={account.trim() === '' || accountName.trim() === ''}>
          {t('programs.create')}
        </Button>
      </footer>
    </form>
  )
}

type Made = Answer<typeof calls.createServiceProgram>

function TokenForm(props: {
  readonly service: Service
  readonly onCancel: () => void
  readonly onMade: (made: Made) => void
}): ReactNode {
  const t = useT()
  const { userId, accountName } = props.service
  const [name, setName] = useState('')
  const [days, setDays] = useState('365')
  const [given, setGiven] = useState<readonly Scope[]>(['read'])
  const [problem, setProblem] = useState<string>()
  const create = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    try {
      const asked = { userId, name: name.trim(), scopes: [...given], days: Number(days) }
      props.onMade(await api.createServiceProgram(asked, { quiet: true }))
      await refetchPrograms()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.message)
    }
  }
  const toggle = (scope: Scope, on: boolean): void =>
    setGiven(on ? [...given, scope] : given.filter((one) => one !== scope))
  return (
    <form className="pg-form" noValidate onSubmit={(event) => void create(event)}>
      <strong>{accountName}</strong>
      <TextField
        label={t('programs.name')}
        value={name}
        maxLength={60}
        autoFocus
        problem={problem}
        onChange={({ target }) => setName(target.value)}
      />
      <fieldset>
        <legend>{t('programs.scopes')}</legend>
        <div>
          {scopes.map((scope) => (
            <Checkbox
              key={scope}
              label={t(`programs.scope.${scope}`)}
              checked={given.includes(scope)}
              onChange={({ target }) => toggle(scope, target.checked)}
            />
          ))}
        </div>
      </fieldset>
      <TextField
        label={t('programs.days')}
        value={days}
        inputMode="numeric"
        maxLength={4}
        onChange={({ target }) => setDays(target.value)}
      />
      <footer>
        <Button onClick={props.onCancel}>{t('programs.cancel')}</Button>
        <Button
          kind="primary"
          type="submit"
          disabled={name.trim() === '' || given.length === 0 || !/^[1-9]\d{0,3}$/.test(days)}
        >
          {t('programs.create')}
        </Button>
      </footer>
    </form>
  )
}

/** A new secret, which is not told again. */
function MadeToken({ made, onDone }: { readonly made: Made; readonly onDone: () => void }): ReactNode {
  const t = useT()
  const address = `${location.origin}/services2/oauth/token`
  return (
    <section className="pg-form" role="status">
      <p>{t('programs.shown')}</p>
      <code>{made.clientId}</code>
      <code>{made.clientSecret}</code>
      <p>{t('programs.how', { address })}</p>
      <footer>
        <Button
          icon={<Copy16Regular />}
          onClick={() =>
            void copyText(made.clientSecret).then(() => toast({ kind: 'success', text: t('programs.copied') }))
          }
        >
          {t('programs.copy')}
        </Button>
        <Button kind="primary" onClick={onDone}>
          {t('programs.done')}
        </Button>
      </footer>
    </section>
  )
}
