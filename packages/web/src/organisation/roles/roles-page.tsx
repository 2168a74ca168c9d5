// Roles and administrators: the capabilities and holders of roles ([R348]), and the administrators (decisions E1).
import { Add16Regular, PersonSearch16Regular } from '@fluentui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { AdminBody } from '../../admin/frame/admin-body.tsx'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { refetchOrganisation } from '../shared/organisation-queries.ts'
import { Administrators, delegate } from './administrators.tsx'
import { Matrix } from './matrix.tsx'
import '../shared/organisation.css'
import './roles.css'

const address = '/doc/admin/roles'

/** The roles and the administrators. An auditor sees only the second tab. */
export function RolesPage(): ReactNode {
  const { powers } = useSession().permission
  const seesRoles = powers.includes('system') || powers.includes('security')
  const isAdministrators = useLocation().pathname.endsWith('/administrators') || !seesRoles
  return isAdministrators ? <AdministratorsPage seesRoles={seesRoles} /> : <MatrixPage />
}

function Tabs({ isAdministrators }: { readonly isAdministrators: boolean }): ReactNode {
  const t = useT()
  return (
    <nav className="or-page-tabs" aria-label={t('org.roles.page')}>
      <Link to={address} aria-current={isAdministrators ? undefined : 'page'}>
        {t('org.roles')}
      </Link>
      <Link to={`${address}/administrators`} aria-current={isAdministrators ? 'page' : undefined}>
        {t('org.admins')}
      </Link>
    </nav>
  )
}

function AdministratorsPage({ seesRoles }: { readonly seesRoles: boolean }): ReactNode {
  const t = useT()
  const maySet = useSession().permission.powers.includes('system')
  return (
    <AdminBody
      title={t('org.roles.page')}
      actions={
        maySet && (
          <Button kind="primary" icon={<Add16Regular />} onClick={() => void delegate()}>
            {t('org.admins.delegate')}
          </Button>
        )
      }
    >
      <div className="or-tabbed">
        {seesRoles && <Tabs isAdministrators />}
        <Administrators />
      </div>
    </AdminBody>
  )
}

function MatrixPage(): ReactNode {
  const t = useT()
  const { powers } = useSession().permission
  const { data, error, refetch } = useQuery({
    queryKey: ['organisation', 'capabilities'],
    queryFn: () => api.getCapabilities({}),
  })
  const [chosenId, setChosenId] = useState(0)
  const create = async (): Promise<void> => {
    const made = await openWindow('organisation-name-group', {
      title: t('org.roles.new'),
      name: '',
      of: { kind: 'newRole' },
    })
    if (made === undefined) return
    setChosenId(made.roleId)
    refetchOrganisation()
  }
  const ask = async (): Promise<void> => {
    const [person] =
      (await openWindow('people-pick', {
        title: t('org.may.person'),
        ok: t('org.may.show'),
        picked: [],
      })) ?? []
    if (person !== undefined) {
      const { userId, accountName } = person
      await openWindow('organisation-person-may', { userId, accountName })
    }
  }
  return (
    <AdminBody
      title={t('org.roles.page')}
      note={data && t('org.roles.count', { n: data.roles.length })}
      actions={
        <>
          <Button icon={<PersonSearch16Regular />} onClick={() => void ask()}>
            {t('org.may.person')}
          </Button>
          {powers.includes('system') && (
            <Button kind="primary" icon={<Add16Regular />} onClick={() => void create()}>
              {t('org.roles.new')}
            </Button>
          )}
        </>
      }
    >
      <div className="or-tabbed">
        <Tabs isAdministrators={false} />
        {error !== null ? (
          <StatePage title={t('org.failed')} text={error.message}>
            <Button onClick={() => void refetch()}>{t('admin.again')}</Button>
          </StatePage>
        ) : data === undefined ? (
          <Spinner />
        ) : (
          <Matrix told={data} chosenId={chosenId} onChoose={setChosenId} />
        )}
      </div>
    </AdminBody>
  )
}
