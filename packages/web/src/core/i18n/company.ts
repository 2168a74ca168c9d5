import { t } from './i18n.ts'

/** What the company is called; one that has given no name yet, by the product's in the person's language. */
export function companyName(named: string | undefined): string {
  return named || t('app.product')
}
