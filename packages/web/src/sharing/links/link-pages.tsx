// /doc/folder/share/link-creation and link-shared ([R229]): the user's links, and other users' links for them.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import { NavLink, useNavigate, useSearchParams } from 'react-router'
import { useT } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import { SheetPicture } from '../../items/lists/list-states.tsx'
import { Button } from '../../kit/button.tsx'
import { FilterChips } from '../../kit/chips.tsx'
import { SearchField } from '../../kit/filter-bar.tsx'
import { PagePager } from '../../kit/pager.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { addressOf, type LinkState, linkStates, pageOf } from './link-queries.ts'
import { LinkTable } from './link-table.tsx'
import { openLink } from './open-link.ts'
import './links.css'
import './link-texts.ts'

const perPage = 30

export const LinksMade = (): ReactNode => <LinkPage key="creation" side="creation" />
export const LinksForMe = (): ReactNode => <LinkPage key="shared" side="shared" />

function LinkPage({ side }: { readonly side: 'creation' | 'shared' }): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const [state, setState] = useState<LinkState>('all')
  const [words, setWords] = useState('')
  const [page, setPage] = useState(0)
  const keyword = useDeferredValue(words.trim())
  const { data, error, refetch } = useQuery({
    ...pageOf(side, state, keyword, page, perPage),
    placeholderData: keepPreviousData,
  })
  const [query, setQuery] = useSearchParams()
  const asked = Number(query.get('externalId') ?? 0)
  // A notice opens this page with its link.
  useEffect(() => {
    if (asked <= 0) return
    setQuery({}, { replace: true })
    void openWindow('cloudoc-link-detail', { externalId: asked, name: '' })
  }, [asked, setQuery])
  const pages = Math.ceil((data?.total ?? 0) / perPage)
  const open = (token: string): void => openLink(addressOf(token))
  return (
    <section className="sl-page" aria-label={t('links.title')}>
      <header>
        <h1>{t('links.title')}</h1>
        <nav className="sl-segments" aria-label={t('links.title')}>
          {(['creation', 'shared'] as const).map((one) => (
            <NavLink key={one} to={`/doc/folder/share/link-${one}`}>
              {t(`links.side.${one}`)}
            </NavLink>
          ))}
        </nav>
        <FilterChips
          label={t('links.state')}
          value={state}
          options={linkStates.map((value) => ({ value, label: t(`links.state.${value}`) }))}
          onChange={(one) => {
            setState(one)
            setPage(0)
          }}
        />
        <SearchField
          label={t('links.search')}
          value={words}
          onChange={(text) => {
            setWords(text)
            setPage(0)
          }}
        />
      </header>
      {error !== null ? (
        <StatePage picture={<SheetPicture sign="warning" />} title={t('links.notLoaded')} text={error.message}>
          <Button onClick={() => void refetch()}>{t('drive.retry')}</Button>
        </StatePage>
      ) : data === undefined ? (
        <Spinner label={t('links.loading')} />
      ) : data.list.length === 0 ? (
        <StatePage
          picture={<SheetPicture sign="search" />}
          title={t(keyword !== '' || state !== 'all' ? 'links.nothingFound' : `links.nothing.${side}`)}
          text={t(`links.nothing.${side}.more`)}
        >
          <Button onClick={() => void navigate('/doc/folder/files')}>{t('drive.state.toMyFiles')}</Button>
        </StatePage>
      ) : (
        <div className="sl-scroll">
          <LinkTable links={data.list} withItem onOpen={({ linkToken }) => open(linkToken)} />
        </div>
      )}
      {pages > 1 && (
        <footer>
          <PagePager
            page={page}
            pages={pages}
            onPage={setPage}
            previousLabel={t('links.before')}
            nextLabel={t('links.after')}
          />
        </footer>
      )}
    </section>
  )
}
