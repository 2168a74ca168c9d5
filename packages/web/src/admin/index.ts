// What the pages of other areas need to stand in the administration.

export { LogoChoice } from '../system/settings/logo-part.tsx'
export { AdminBody } from './frame/body.tsx'
