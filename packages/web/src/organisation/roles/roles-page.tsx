// Roles and administrators: the capabilities and holders of roles ([R348]), and the administrators (decisions E1).

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'react-router'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { Add16Regular, PersonSearch16Regular } from '../../kit/icons.ts'
import { ListPage } from '../../kit/list-page.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { TabLinks } from '../../kit/tab-links.tsx'
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

function RoleTabs({ isAdministrators }: { readonly isAdministrators: boolean }): ReactNode {
  const t = useT()
  return (
    <TabLinks
      label={t('org.roles.page')}
      tabs={[
        { to: address, text: t('org.roles'), current: !isAdministrators },
        { to: `${address}/administrators`, text: t('org.admins'), current: isAdministrators },
      ]}
    />
  )
}

function AdministratorsPage({ seesRoles }: { readonly seesRoles: boolean }): ReactNode {
  const t = useT()
  const maySet = useSession().permission.powers.includes('system')
  return (
    <ListPage
      title={t('org.roles.page')}
      tools={
        maySet && (
          <Button kind="primary" icon={<Add16Regular />} onClick={() => void delegate()}>
            {t('org.admins.delegate')}
          </Button>
        )
      }
      tabs={seesRoles && <RoleTabs isAdministrators />}
    >
      <Administrators />
    </ListPage>
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
    void refetchOrganisation()
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
    <ListPage
      title={t('org.roles.page')}
      note={data && t('org.roles.count', { n: data.roles.length })}
      tools={
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
      tabs={<RoleTabs isAdministrators={false} />}
    >
      {error !== null ? (
        <StatePage title={t('org.failed')} text={error.message}>
          <Button onClick={() => void refetch()}>{t('admin.again')}</Button>
        </StatePage>
      ) : data === undefined ? (
        <Spinner />
      ) : (
        <Matrix told={data} chosenId={chosenId} onChoose={setChosenId} />
      )}
    </ListPage>
  )
}
