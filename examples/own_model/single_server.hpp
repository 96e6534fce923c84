#pragma once

#include "artel/own_models/model_study.hpp"

/// M/M/1: customers come at random to one server, one after another.
artel::own_models::ModelStudy single_server();
