import { t } from './i18n.ts'

/** The company name, or the product name in the user's language if none is set. */
export function companyName(named: string | undefined): string {
  return named || t('app.product')
}
