import { Spotify as preset, type SpotifyProfile as Shape } from "../../Provider/Spotify.ts";
import type { Claims, Factory, Member } from "../ProviderModule.ts";
export interface SpotifyProfile extends Claims<Shape> {
}
export interface SpotifyImage extends Member {
}
declare const Spotify: Factory<typeof preset, SpotifyProfile>;
export { Spotify as default };
