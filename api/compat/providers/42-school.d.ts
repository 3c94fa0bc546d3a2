import { FortyTwoSchool as preset, type FortyTwoSchoolProfile as Shape } from "../../Provider/FortyTwoSchool.ts";
import type { Claims, Factory, Member } from "../ProviderModule.ts";
export interface FortyTwoProfile extends Claims<Shape> {
}
export interface UserData extends Member {
}
export interface CursusUser extends Member {
}
export interface ProjectUser extends Member {
}
export interface Achievement extends Member {
}
export interface LanguagesUser extends Member {
}
export interface TitlesUser extends Member {
}
export interface ExpertisesUser extends Member {
}
export interface Campus extends Member {
}
export interface CampusUser extends Member {
}
export interface Image extends Member {
}
declare const FortyTwoSchool: Factory<typeof preset, FortyTwoProfile>;
export { FortyTwoSchool as default };
