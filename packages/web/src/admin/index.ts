// What the pages of other areas need to stand in the administration.
export { AdminBody } from './frame/body.tsx'
export { LogoChoice } from './settings/logo-part.tsx'
