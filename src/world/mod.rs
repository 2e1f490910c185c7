//! `world` says what is around a contract: the actors and their roles, and the plan of its world, with companions, stand-ins,
//! proxies, factories, and the calls that connect them.

mod action;
mod actors;
pub mod attacker;
mod blueprint;
mod companions;
mod configured;
mod configured_calls;
mod draft;
mod factories;
pub mod foundry;
mod funding;
mod ground;
mod implementations;
mod plain;
mod plan;
mod planner;
mod plans;
mod proxies;
mod registration;
mod registries;
pub mod stand_in;
mod tried;
mod wanted_type;
mod wiring;

pub use action::Action;
pub use actors::{ACTORS, Actor, ActorRole, INITIAL_BALANCE, STRANGERS_CONTRACT, is_actor, is_deployer, users};
pub use blueprint::{Blueprint, minimal_proxy_of};
pub use configured::unknown_contracts;
pub use ground::{Account, World, WorldError};
pub use plan::Plan;
pub use plans::Plans;
